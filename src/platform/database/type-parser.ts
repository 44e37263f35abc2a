import { types } from 'pg'

const INT8 = 20
const DATE = 1082

/** Reads bigint as a number: all of ours stay far below 2^53. A larger value throws instead of being rounded. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('a bigint above 2^53 - 1 came from the database')
  return value
}

/** How the text of a column of this type is read. */
export function typeParser(oid: number, format?: unknown): (text: string) => unknown {
  if (oid === INT8) return parseInt8
  if (oid === DATE) return (text) => text
  return types.getTypeParser(oid, format as 'text')
}
