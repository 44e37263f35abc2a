import { randomBase62 } from '../../domain/ids.ts'
import { inSlices } from '../slices.ts'
import { type LongList, malformed, readShape } from './json-shape.ts'

/**
 * Parses a long body without holding up others: its long lists piece by piece, in slices. Whatever is well-formed, and
 * whatever is refused, is so as if the body were parsed at once. @throws VALIDATION_FAILED, PAYLOAD_TOO_LARGE
 */
export async function parseLongJson(raw: Buffer, parse: (text: string) => unknown): Promise<unknown> {
  const lists = await shapeOf(raw)
  // No caller can guess it, so no text of the body is taken for the place of a list.
  const mark = randomBase62(22)
  const value = parse(withoutLists(raw, lists, mark))
  for (const [index, list] of lists.entries()) {
    const entries = await entriesOf(raw, list, parse)
    if (isPlace(value, mark, index)) return entries
    const holder = value as Record<string, unknown>
    // Of several fields with one name, the last one counts: the others have no place.
    const field = Object.keys(holder).find((name) => isPlace(holder[name], mark, index))
    if (field !== undefined) holder[field] = entries
  }
  return value
}

async function shapeOf(raw: Buffer): Promise<LongList[]> {
  const reading = readShape(raw)
  let lists: LongList[] = []
  const steps = {
    *[Symbol.iterator]() {
      lists = yield* reading
    },
  }
  await inSlices(steps, () => undefined)
  return lists
}

/** The text of a body in which each long list has one entry, its place. */
function withoutLists(raw: Buffer, lists: readonly LongList[], mark: string): string {
  const parts: string[] = []
  let from = 0
  for (const [index, { open, close }] of lists.entries()) {
    parts.push(raw.toString('utf8', from, open + 1), `"${mark}${index}"`)
    from = close
  }
  return [...parts, raw.toString('utf8', from)].join('')
}

const isPlace = (value: unknown, mark: string, index: number) =>
  Array.isArray(value) && value.length === 1 && value[0] === `${mark}${index}`

async function entriesOf(raw: Buffer, { open, close, cuts }: LongList, parse: (text: string) => unknown) {
  const entries: unknown[] = []
  await inSlices([...cuts, close], (end, index) => {
    const piece = parse(`[${raw.toString('utf8', (cuts[index - 1] ?? open) + 1, end)}]`) as unknown[]
    // Nothing stands before or after a comma.
    if (piece.length === 0) throw malformed('The body is not well-formed JSON')
    for (const entry of piece) entries.push(entry)
  })
  return entries
}
