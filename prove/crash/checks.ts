import type { Client } from 'pg'
import { type Figure, isRight } from '../record.ts'
import type { Job, OrderAnswer } from './client.ts'
import { type StoredAnswer, storedAnswers } from './stored-answers.ts'

export interface Expected {
  jobs: readonly Job[]
  answers: readonly OrderAnswer[]
  /** How many card orders the client sends. */
  requests: number
  keyed: boolean
  masterKey: Buffer
}

/** Counts what must hold in the database and in the gateway's books, each with its expected value. */
export async function figures(
  db: Client,
  { jobs, answers, requests: asked, keyed, masterKey }: Expected,
): Promise<Figure[]> {
  const number = async (text: string, values: unknown[] = []): Promise<number> =>
    Number((await db.query(text, values)).rows[0].n)
  const rows = jobs.reduce((sum, job) => sum + job.rows, 0)
  const placed = answers.filter((answer) => answer.status === 201)
  const given = JSON.stringify(answers)
  const fromAnswers = `from jsonb_to_recordset($1::jsonb) as t(key text, card text, status int, "orderId" text, text text)`
  const zero: [string, string, unknown[]?][] = [
    [
      'bulk rows without exactly one order',
      `
      select count(*) n from bulk_rows b where (select count(*) from orders o
        where o.realm_id = b.realm_id and o.external_id = b.external_id and o.id = b.order_id) <> 1`,
    ],
    [
      'external IDs with more than one order',
      `
      select count(*) n from (select 1 from orders group by realm_id, external_id having count(*) > 1) d`,
    ],
    [
      'client keys with a wrong number of orders',
      `
      select count(*) n ${fromAnswers} where (select count(*) from orders o where o.external_id = t.key)
        <> case when t.card = 'pm_card_declined' then 0 else 1 end`,
      [given],
    ],
    [
      'answers that name an order that does not exist',
      `
      select count(*) n ${fromAnswers} where t.status = 201
        and not exists (select from orders o where o.id = t."orderId" and o.external_id = t.key)`,
      [given],
    ],
    [
      'cards with the wrong outcome',
      `
      select count(*) n ${fromAnswers} where t.status <> case when t.card = 'pm_card_declined' then 402 else 201 end`,
      [given],
    ],
    ['keys without an answer', 'select count(*) n from idempotency_keys where status is null'],
    [
      'orders with missing or extra kits',
      `
      select count(*) n from orders o where o.status = 'created' and o.quantity <>
        (select count(*) from kits k where k.realm_id = o.realm_id and k.order_id = o.id)`,
    ],
    [
      'orders without exactly one event',
      `
      select count(*) n from orders o where (select count(*) from events e
        where e.realm_id = o.realm_id and e.order_id = o.id and e.type = 'order.created') <> 1`,
    ],
    [
      'orders without exactly one audit entry',
      `
      select count(*) n from (select o.id from orders o left join audit_entries a
        on a.realm_id = o.realm_id and a.object_id = o.id and a.action = 'order.placed' group by o.id having count(a.*) <> 1) d`,
    ],
    [
      'gaps in the numbers of orders, kits and transfers',
      `
      select coalesce(sum(abs(c.orders - (select count(*) from orders o where o.realm_id = c.realm_id))
        + abs(c.kits - (select count(*) from kits k where k.realm_id = c.realm_id))
        + abs(c.transfers - (select count(*) from credit_transfers t where t.realm_id = c.realm_id))), 0) n from realm_counters c`,
    ],
    [
      'cents captured that differ from the orders',
      `
      select coalesce(sum(abs(p.captured_minor - coalesce((select sum(o.amount_minor) from orders o
        where o.realm_id = p.realm_id and o.payment_id = p.id), 0))), 0) n from payments p`,
    ],
    [
      'charges that are unknown to payments or differ from them',
      `
      select count(*) n from simulated_charges c full join payments p on split_part(c.idempotency_key, ':', 3) = p.id
      where c.captured is distinct from p.captured_minor`,
    ],
    ['credits still reserved', 'select coalesce(sum(reserved), 0) n from credit_balances'],
    ['payments requested or authorised', `select count(*) n from payments where state in ('requested', 'authorised')`],
    ['refunds requested', `select count(*) n from refunds where state = 'requested'`],
    ['bulk jobs not completed', `select count(*) n from bulk_jobs where status <> 'completed'`],
  ]
  const found: Figure[] = [
    {
      name: 'bulk rows placed',
      actual: await number(`select count(*) n from bulk_rows where status = 'created'`),
      expected: rows,
    },
    {
      name: 'keys whose stored answer differs from the answer sent',
      actual: keyed ? differing(answers, await storedAnswers(db, masterKey)) : 0,
      expected: 0,
    },
    { name: 'card orders answered', actual: answers.length, expected: asked },
    { name: 'orders', actual: await number('select count(*) n from orders'), expected: rows + placed.length },
    {
      name: "cents charged in the gateway's books",
      actual: await number('select coalesce(sum(captured - refunded), 0) n from simulated_charges'),
      expected: await number(
        `select coalesce(sum(amount_minor), 0) n from orders where payment_method = 'card' and payment_status = 'paid'`,
      ),
    },
  ]
  for (const [name, text, values] of zero) found.push({ name, actual: await number(text, values), expected: 0 })
  return found
}

/** Orders are kept as they were answered. A declined card is not: the same key tries again. */
const differing = (answers: readonly OrderAnswer[], stored: ReadonlyMap<string, StoredAnswer>): number =>
  answers.filter(({ key, text, status }) => {
    const answer = stored.get(key)
    return status === 201 ? answer?.text !== text || answer.status !== status : answer !== undefined
  }).length

export const breaches = (found: readonly Figure[]): Figure[] => found.filter((figure) => !isRight(figure))
