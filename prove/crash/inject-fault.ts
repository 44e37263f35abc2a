import type { Client } from 'pg'

/** The damage that a service would leave if it lost or repeated work. `$1` makes each injection unique. */
export const faults: Record<string, string> = {
  'a duplicate order': `
    insert into orders select d.* from (select o from orders o order by seq limit 1) t,
      jsonb_populate_record(t.o, jsonb_build_object('id', 'O' || md5($1), 'seq', 1000000000 + $1::int)) d`,
  'an extra kit': `
    insert into kits select d.* from (select k from kits k order by seq limit 1) t,
      jsonb_populate_record(t.k, jsonb_build_object('id', 'K' || md5($1), 'seq', 1000000000 + $1::int)) d`,
  'a row whose order does not exist': `
    update bulk_rows set order_id = 'O' || md5($1) where (realm_id, job_id, row) =
      (select realm_id, job_id, row from bulk_rows where status = 'created' order by row limit 1)`,
  'an extra charge': `
    insert into simulated_charges (idempotency_key, ref, amount, currency, captured, state, method_id, created_at)
    values ('kitlane:live:twice:' || $1, 'pi_twice_' || $1, 19900, 'usd', 19900, 'charged', 'pm_card_visa', now())`,
  'a credit that stays reserved': `
    update credit_balances set reserved = reserved + 1 where kit_type = (select min(kit_type) from credit_balances where $1 <> '')`,
  'a payment left open': `
    update payments set state = 'requested', request = '{}' where id = (select min(id) from payments where $1 <> '')`,
  'a lost answer': `
    update idempotency_keys set status = null where key = (select min(key) from idempotency_keys where $1 <> '')`,
  'an answer that names another order': `
    update idempotency_keys set body = '{"orderId":"O' || $1 || '"}', sealed = null
    where key = (select min(key) from idempotency_keys where status = 201)`,
  'a job left open': `
    update bulk_jobs set status = 'processing' where id = (select min(id) from bulk_jobs where $1 <> '')`,
}

/** Injects the negative control's fault after the nth kill. */
export async function injectFault(db: Client, n: number): Promise<void> {
  const text = faults[n % 2 === 0 ? 'a duplicate order' : 'an extra charge'] ?? ''
  await db.query(text, [String(n)]).finally(() => db.end())
}
