import { type SystemTx, type Tx, within } from '../../../platform/database/tx.ts'
import { csvCell } from '../../../platform/http/csv.ts'
import { rangeEnd, rangeStart } from '../../../platform/http/fields.ts'
import { selectAccesses } from '../../audit/person-queries.ts'
import * as audit from '../../audit/service.ts'
import * as customers from '../../customers/service.ts'
import { modulesOf } from '../../define-module.ts'
import { selectKits, selectOrders } from '../export-queries.ts'
import { selectCallers, selectObjectsOf } from './object-queries.ts'
import { kindOf, kindWords, verbOf, verbWords, whoInWords, whoIs, whyInWords } from './rules.ts'
import type { PersonalAccesses } from './schema.ts'

// About 4 MB as JSON. What one caller does on one day in one way is one row, so that few people reach it.
const MAX_ROWS = 10_000

interface TimeRange {
  from?: string | undefined
  to?: string | undefined
}

/**
 * Who saw the data of a person, newest first: what one caller did in the same way on one day is one row. It takes a
 * transaction over all realms that stands in the person's. Audited. @throws CUSTOMER_NOT_FOUND
 */
export async function accessesOf(
  tx: SystemTx & Tx,
  idOrExternalId: string,
  period: TimeRange,
): Promise<PersonalAccesses> {
  const person = await customers.find(tx, idOrExternalId)
  const kits = await selectKits(tx, person.id)
  const orders = await selectOrders(tx, [...new Set(kits.map(({ orderId }) => orderId))], person.email)
  const orderIds = orders.map(({ id }) => id)
  const objects = await selectObjectsOf(tx, person.id, orderIds, person.email)
  for (const module of modulesOf(tx.context)) {
    Object.assign(objects, await module.person?.audited?.(tx, { ...person, orderIds }))
  }
  const since = [person, ...orders].map(({ createdAt }) => createdAt).reduce((a, b) => (a < b ? a : b))
  const range = { from: rangeStart(period.from), to: rangeEnd(period.to), since, limit: MAX_ROWS + 1 }
  const rows = await selectAccesses(tx, tx.realm, objects, range)
  await audit.record(tx, [{ action: 'customer.accesses_read', objectType: 'customer', objectId: String(person.id) }])
  const callers = await selectCallers(tx, [...new Set(rows.map(({ actor }) => actor))])
  const byActor = new Map(callers.map((caller) => [caller.actor, caller]))
  const data = rows.slice(0, MAX_ROWS).map((row) => ({
    firstDate: row.first.toISOString(),
    lastDate: row.last.toISOString(),
    times: row.times,
    who: whoIs(row.actor, byActor.get(row.actor)),
    data: kindOf(row.objectType),
    did: verbOf(row),
    ...(row.operation !== null && { operation: row.operation }),
    ...(row.actor.startsWith('job:') && { job: row.actor.slice('job:'.length) }),
    ...(row.reason !== null && { reason: row.reason }),
  }))
  return { customerID: person.id, createdDate: tx.now.toISOString(), isComplete: rows.length <= MAX_ROWS, data }
}

/** The same for the operator, of a business. */
export const accessesIn = (
  tx: SystemTx,
  realm: Tx['realm'],
  id: string,
  period: TimeRange,
): Promise<PersonalAccesses> => accessesOf({ ...tx, ...within(tx, realm) }, id, period)

const header = ['First (UTC)', 'Last (UTC)', 'Times', 'Who', 'What data', 'What was done', 'Why']

/** The report as a file to hand to the person. */
export function accessesCsv({ data }: PersonalAccesses): string {
  const lines = data.map((row) => [
    ...[row.firstDate, row.lastDate, row.times, whoInWords(row.who), kindWords[row.data], verbWords[row.did]],
    whyInWords(row),
  ])
  // The byte order mark tells Excel that the file is UTF-8.
  return `\uFEFF${[header, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')}`
}
