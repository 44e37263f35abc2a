import { isUtf8 } from 'node:buffer'
import { workbookOf, XLSX } from '@kitlane/display/workbook-kind'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { randomBase62 } from '../../domain/ids.ts'
import { inSlices } from '../slices.ts'
import { HL7_TYPES } from './hl7.ts'
import { charsetOf, utf16Of } from './hl7-header.ts'
import { hashLongBody } from './idempotency.ts'
import { type LongList, malformed, readShape } from './json-shape.ts'
import { LONG_BODY_BYTES, type Shares } from './shares.ts'

const notJson = () => malformed('The body is not well-formed JSON')

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

/** JSON only, UTF-8 only, never too deep; the raw bytes are kept for the idempotency fingerprint. */
export function parseJsonBodies(app: FastifyInstance, shares: Shares): void {
  const parseText = app.getDefaultJsonParser('error', 'error')
  // Fastify's own parser refuses __proto__ and constructor.prototype keys. It calls back before it returns.
  const parse = (request: FastifyRequest, text: string): unknown => {
    let parsed: unknown
    parseText(request, text, (err, value) => {
      if (err) throw notJson()
      parsed = value
    })
    return parsed
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, raw, done) => {
    request.rawBody = raw
    if (raw.length === 0) return done(null, undefined)
    if (!isUtf8(raw)) return done(malformed('The body is not UTF-8'))
    if (raw.length > LONG_BODY_BYTES) return void parseLong(request, raw).then((body) => done(null, body), done)
    try {
      for (const _ of readShape(raw));
      done(null, parse(request, raw.toString()))
    } catch (err) {
      done(err as Error)
    }
  })

  async function parseLong(request: FastifyRequest, raw: Buffer): Promise<unknown> {
    await shares.enterWithLongBody(request)
    await hashLongBody(request)
    return parseLongJson(raw, (text) => parse(request, text))
  }
}

// Firefox on Windows names CSV as Excel does, once it is installed.
const TABLE_TYPES = ['text/csv', 'text/tab-separated-values', 'application/vnd.ms-excel', XLSX]

/** Message formats and tables, as the text that was sent; the route reads them. The bytes of a workbook are sent on as latin1. */
export function parseTextBodies(app: FastifyInstance): void {
  const types = [...HL7_TYPES, 'text/plain', ...TABLE_TYPES, 'application/fhir+json']
  app.addContentTypeParser<Buffer>(types, { parseAs: 'buffer' }, (request, raw, done) => {
    request.rawBody = raw
    try {
      done(null, decoded(raw, request.headers['content-type']))
    } catch (err) {
      done(err as Error)
    }
  })
}

/**
 * By a byte order mark of UTF-16, else by the charset that Content-Type names, else as UTF-8, else by the one that MSH-18 of an
 * HL7 message names, and a CSV as Windows-1252. @throws VALIDATION_FAILED
 */
function decoded(raw: Buffer, contentType = ''): string {
  if (workbookOf(raw)) return raw.toString('latin1')
  const utf16 = utf16Of(raw)
  if (utf16) return new TextDecoder(utf16).decode(raw)
  const named =
    /;\s*charset="?([\w.:-]+)/i.exec(contentType)?.[1] ?? (isUtf8(raw) ? 'utf-8' : undeclaredCharset(raw, contentType))
  try {
    return new TextDecoder(named, { fatal: true }).decode(raw)
  } catch {
    throw malformed('The body is not UTF-8, nor in the charset that Content-Type or MSH-18 names')
  }
}

// Excel saves CSV so in Western countries, and names it nowhere.
const undeclaredCharset = (raw: Buffer, contentType: string): string =>
  charsetOf(raw) ?? (TABLE_TYPES.some((type) => contentType.toLowerCase().startsWith(type)) ? 'windows-1252' : 'utf-8')
