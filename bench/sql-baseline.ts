import type { Client } from 'pg'

/** Copies a bulk job and reserves its credits, but delays it so that no worker takes it. Returns the ID of the copy. */
export async function prepareBaselineJob(db: Client, like: string): Promise<string> {
  const id = `${like}_baseline`
  await db.query(
    `insert into bulk_jobs (realm_id, id, status, payment_method, prices, total, worked_at, created_at)
     select realm_id, $2, 'queued', payment_method, prices, total, now() + interval '1 hour', now() from bulk_jobs where id = $1`,
    [like, id],
  )
  await db.query(
    `insert into bulk_rows (realm_id, job_id, row, status, request, external_id)
     select o.realm_id, $2, b.row, 'pending', jsonb_build_object('recipient', jsonb_build_object('firstName', o.first_name,
         'lastName', o.last_name, 'email', o.email, 'address', o.address),
       'items', jsonb_build_array(jsonb_build_object('kitType', o.sku, 'quantity', o.quantity)),
       'externalId', o.external_id, 'externalTags', '[]'::jsonb, 'notify', o.notify), b.external_id
     from bulk_rows b join orders o on o.realm_id = b.realm_id and o.id = b.order_id where b.job_id = $1`,
    [like, id],
  )
  await db.query(
    `update credit_balances b set available = available - j.total, reserved = reserved + j.total from bulk_jobs j
     where j.id = $1 and b.realm_id = j.realm_id and b.kit_type = (
       select request->'items'->0->>'kitType' from bulk_rows where job_id = $1 limit 1)`,
    [id],
  )
  return id
}

/** Places all rows of a job with one statement that handles no errors. */
export async function placeWithSql(db: Client, jobId: string): Promise<void> {
  await db.query('begin')
  await db.query(PLACE, [jobId])
  await db.query('commit')
}

const PLACE = `
  with given as (
    select b.realm_id, b.row, b.external_id, request->'recipient' as person, i->>'kitType' as kit_type, (i->>'quantity')::int as quantity,
      (request->>'notify')::boolean as notify, row_number() over (order by b.row) as position,
      'O' || substr(md5(gen_random_uuid()::text), 1, 10) as order_id
    from bulk_rows b, jsonb_array_elements(request->'items') i where b.job_id = $1 and b.status = 'pending'),
  counters as (
    update realm_counters c set orders = orders + n, kits = kits + n, transfers = transfers + n
    from (select realm_id, count(*) as n from given group by realm_id) g where c.realm_id = g.realm_id
    returning orders - n as orders, kits - n as kits, transfers - n as transfers),
  balance as (
    update credit_balances b set reserved = reserved - n
    from (select realm_id, kit_type, count(*) as n from given group by 1, 2) g
    where b.realm_id = g.realm_id and b.kit_type = g.kit_type returning b.available),
  placed as (
    insert into orders (realm_id, id, seq, status, sku, quantity, first_name, last_name, email, address, external_id, external_tags,
      notify, payment_method, payment_status, created_at)
    select realm_id, order_id, c.orders + position, 'created', kit_type, quantity, person->>'firstName', person->>'lastName',
      person->>'email', person->'address', external_id, '{}', notify, 'credits', 'paid', now() from given, counters c),
  items as (
    insert into order_items (realm_id, order_id, kit_type, quantity) select realm_id, order_id, kit_type, quantity from given),
  kits as (
    insert into kits (realm_id, id, seq, order_id, kit_type, kit_status, sample_status, report_status, progress, created_at, updated_at)
    select realm_id, 'K' || substr(md5(gen_random_uuid()::text), 1, 10), c.kits + position, order_id, kit_type, 'preparing',
      'awaitingCollection', 'notStarted', jsonb_build_object('orderPlaced', now()), now(), now() from given, counters c),
  transfers as (
    insert into credit_transfers (realm_id, seq, kit_type, kind, from_account, to_account, amount, available_after, order_id, job_id, actor, at)
    select realm_id, c.transfers + position, kit_type, 'capture', 'reserved', 'spent', quantity, b.available, order_id, $1, 'bench', now()
    from given, counters c, balance b),
  events as (
    insert into events (realm_id, id, type, order_id, data, occurred_at)
    select realm_id, 'evt_' || replace(gen_random_uuid()::text, '-', ''), 'order.created', order_id,
      jsonb_build_object('orderID', order_id, 'status', 'created', 'createdDate', now(), 'externalID', external_id,
        'items', jsonb_build_array(jsonb_build_object('kitType', kit_type, 'quantity', quantity))), now() from given),
  audit as (
    insert into audit_entries (realm_id, at, actor, action, object_type, object_id)
    select realm_id, now(), 'bench', 'order.placed', 'order', order_id from given),
  job as (
    update bulk_jobs set status = 'completed', succeeded = total, started_at = now(), completed_at = now() where id = $1)
  update bulk_rows b set status = 'created', request = null, order_id = g.order_id
  from given g where b.realm_id = g.realm_id and b.job_id = $1 and b.row = g.row`
