import type { Client } from 'pg'
import type { Figure } from '../record.ts'
import type { FaultyReceiver } from './receiver.ts'

// UNWRITTEN of src/modules/webhooks/delivery/dispatch-queue.ts: requests to one endpoint whose outcome is not stored.
const UNWRITTEN = 64

/** Checks what arrived and what the delivery log says. */
export async function figures(
  db: Client,
  receiver: FaultyReceiver,
  { events, kills }: { events: number; kills: number },
): Promise<Figure[]> {
  const number = async (text: string, values: unknown[] = []) => Number((await db.query(text, values)).rows[0].n)
  const ids = [...receiver.accepted.keys()]
  const duplicates = [...receiver.accepted.values()].reduce((sum, times) => sum + times - 1, 0)
  const zero: [string, string, unknown[]?][] = [
    [
      'events that never arrived',
      `select count(*) n from events where type = 'order.created' and not id = any($1)`,
      [ids],
    ],
    [
      'webhook-ids without an event',
      `select count(*) n from unnest($1::text[]) i(id) where not exists (select from events e where e.id = i.id)`,
      [ids],
    ],
    ['deliveries not delivered', `select count(*) n from webhook_deliveries where status <> 'delivered'`],
    [
      'leases that were not released',
      `select count(*) n from webhook_deliveries where lease is not null or leased_until is not null`,
    ],
    [
      'deliveries whose attempts are not numbered from 1 without a gap',
      `select count(*) n from webhook_deliveries d where d.attempts <> (select count(*) from webhook_attempts a where a.delivery_id = d.id)
         or d.attempts <> (select max(number) from webhook_attempts a where a.delivery_id = d.id)`,
    ],
    [
      'deliveries whose log does not end with its only success',
      `select count(*) n from webhook_deliveries d where (select array_agg(number) from webhook_attempts a
         where a.delivery_id = d.id and a.status between 200 and 299 and a.error is null) <> array[d.attempts]`,
    ],
    [
      'attempts with neither status nor error',
      `select count(*) n from webhook_attempts where status is null and error is null`,
    ],
    ['endpoints switched off', 'select count(*) n from webhook_endpoints where not enabled'],
  ]
  const found: Figure[] = [
    { name: 'distinct webhook-ids received', actual: ids.length, expected: events },
    { name: 'deliveries owed', actual: await number('select count(*) n from webhook_deliveries'), expected: events },
    { name: 'webhooks received again', actual: duplicates, expected: kills * UNWRITTEN, atMost: true },
    { name: 'signatures that do not verify', actual: receiver.forged, expected: 0 },
    { name: 'bodies that differ between attempts', actual: receiver.changedBodies, expected: 0 },
    { name: 'timestamps that are not fresh', actual: receiver.staleTimestamps, expected: 0 },
  ]
  for (const [name, text, values] of zero) found.push({ name, actual: await number(text, values), expected: 0 })
  return found
}
