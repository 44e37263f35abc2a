import { AppError } from '../../domain/errors.ts'

// Nothing in the contract nests deeper than 6; PostgreSQL and JSON.stringify break at some thousand levels.
const MAX_DEPTH = 20

// 10,000 rows with 25 fields or 50 tags each. 10 MiB of nothing but fields would take JSON.parse 0.7 s, these 0.15 s.
const MAX_FIELDS = 250_000
const MAX_VALUES = 700_000
// JSON.parse takes up to 16 ms for as many in one piece. A piece of entries of 2 bytes holds 16,384.
const MAX_AT_ONCE = 20_000

const PIECE_BYTES = 32 * 1024
const STEP_BYTES = 128 * 1024

const [QUOTE, BACKSLASH, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = Buffer.from('"\\:,[{]}')

export const malformed = (message: string) => new AppError('VALIDATION_FAILED', message)
const tooMany = () => new AppError('PAYLOAD_TOO_LARGE', 'The body holds too many values: send them in several requests')

/** A list of a body, by its bytes: its brackets, and commas between its entries at which it can be cut. */
export interface LongList {
  open: number
  close: number
  cuts: number[]
}

interface OpenList {
  open: number
  depth: number
  cuts: number[]
  /** How many values came before it, and before its last cut. */
  before: number
  beforeCut: number
}

/**
 * Reads the bytes of a JSON body before anything is parsed, in steps of 128 kB, and refuses those that would take too
 * long. Finds long lists: the body itself, or fields of it. @throws VALIDATION_FAILED, PAYLOAD_TOO_LARGE
 */
export function* readShape(raw: Buffer): Generator<undefined, LongList[]> {
  const lists: LongList[] = []
  const listDepth = raw[firstByte(raw)] === OPEN_LIST ? 1 : 2
  let list: OpenList | undefined
  let [at, depth, fields, values, inLists, isInText] = [0, 0, 0, 0, 0, false]
  for (let end = STEP_BYTES; ; end += STEP_BYTES) {
    end = Math.min(raw.length, end)
    while (at < end) {
      if (isInText) {
        while (at < end && raw[at] !== QUOTE) at += raw[at] === BACKSLASH ? 2 : 1
        if (at >= end) break
        isInText = false
        at++
        continue
      }
      const byte = raw[at]
      if (byte === QUOTE) isInText = true
      else if (byte === COMMA) {
        values++
        if (list?.depth === depth && at - (list.cuts.at(-1) ?? list.open) > PIECE_BYTES) {
          refuseMany(fields + values - list.beforeCut)
          list.beforeCut = fields + values
          list.cuts.push(at)
        }
      } else if (byte === COLON) fields++
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        if (++depth > MAX_DEPTH) throw malformed(`The body nests deeper than ${MAX_DEPTH} levels`)
        values++
        const before = fields + values
        if (byte === OPEN_LIST && depth === listDepth && !list) {
          list = { open: at, depth, cuts: [], before, beforeCut: before }
        }
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        if (list?.depth === depth--) {
          if (list.cuts.length > 0) {
            refuseMany(fields + values - list.beforeCut)
            inLists += fields + values - list.before
            lists.push({ open: list.open, close: at, cuts: list.cuts })
          }
          list = undefined
        }
      }
      if (fields > MAX_FIELDS || values > MAX_VALUES) throw tooMany()
      at++
    }
    if (end === raw.length) break
    yield
  }
  refuseMany(fields + values - inLists)
  return lists
}

function refuseMany(atOnce: number): void {
  if (atOnce > MAX_AT_ONCE) throw tooMany()
}

const isBlank = (byte: number | undefined) => byte === 32 || byte === 9 || byte === 10 || byte === 13

function firstByte(raw: Buffer): number {
  let at = 0
  while (at < raw.length && isBlank(raw[at])) at++
  return at
}
