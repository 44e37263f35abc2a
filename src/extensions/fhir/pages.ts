import type { Resource } from './schema.ts'

/** What was stored as one: a customer, a kit, or a report with all that it refers to. */
export interface Stored {
  /** Its position in its list, for a cursor. */
  key: string
  resources: Resource[]
}

/** The next rows after one, in an order that does not change. */
export type ReadRows = (after: string | undefined, size: number) => Promise<Stored[]>

interface Found {
  resources: Resource[]
  /** Absent: there is no more. */
  cursor?: string
}

const BATCH = 25
// A search for what is rare ends a page after so many rows, empty or not: one request does not read a whole realm.
const MAX_ROWS = 200

/** A row that was sent in part: how many of its resources came on the pages before. */
const cursorOf = (after: string | undefined, sent: number): string => `${sent}.${after ?? ''}`

function readCursor(cursor: string | undefined): { after: string | undefined; sent: number } {
  const [, sent = '0', after = ''] = /^(\d{1,6})\.(.*)$/.exec(cursor ?? '') ?? []
  return { after: after || undefined, sent: Number(sent) }
}

/** A page of the resources that fit. */
export async function pageOf(
  read: ReadRows,
  fits: (resource: Resource) => boolean,
  { count, cursor }: { count: number; cursor: string | undefined },
): Promise<Found> {
  let { after, sent } = readCursor(cursor)
  const resources: Resource[] = []
  for (let rows = 0; rows < MAX_ROWS; rows += BATCH) {
    const batch = await read(after, BATCH)
    for (const row of batch) {
      const fitting = row.resources.filter(fits).slice(sent)
      const room = count - resources.length
      if (fitting.length > room) {
        resources.push(...fitting.slice(0, room))
        return { resources, cursor: cursorOf(after, sent + room) }
      }
      resources.push(...fitting)
      after = row.key
      sent = 0
    }
    if (batch.length < BATCH) return { resources }
  }
  return { resources, cursor: cursorOf(after, 0) }
}
