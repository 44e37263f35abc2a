/** A part of a list that is read newest first. */
export interface Part {
  /** How many newer rows are left out. */
  skip: number
  size: number
}

interface Found<Row> {
  /** Of the whole list. */
  total: number
  rows: Row[]
}

/**
 * A page of the same list from its other end, oldest first: as fast at any depth as the list itself, because it needs no
 * other index. The list is asked twice, first for nothing but its length.
 */
export async function oldestFirst<Row>(
  { skip, size }: Part,
  read: (part: Part) => Promise<Found<Row>>,
): Promise<Found<Row>> {
  const { total } = await read({ skip: 0, size: 0 })
  const end = total - skip
  if (end <= 0) return { total, rows: [] }
  const start = Math.max(0, end - size)
  const { rows } = await read({ skip: start, size: end - start })
  return { total, rows: rows.toReversed() }
}
