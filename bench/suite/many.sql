-- Writes $ORDERS orders of realm $REALM with their kits, transfers and customers, in all states. The rows are those of
-- the service, but written at once and without triggers and foreign keys.
set session_replication_role = replica;
set synchronous_commit = off;
insert into customers (realm_id, id, seq, external_id, email, name, first_name, last_name, created_at)
select $REALM, 100000000000 + n, n, 'person-' || n, 'person' || n || '@example.test', 'Ada Example ' || n, 'Ada', 'Example ' || n,
  timestamptz '2026-01-01' - ($ORDERS - n) * interval '10 seconds'
from generate_series(1, $ORDERS) n;
insert into orders (realm_id, id, seq, status, sku, quantity, first_name, last_name, email, address, external_id, notify, payment_method, payment_status, created_at)
select $REALM, 'O' || lpad(n::text, 9, '0'), n, case when n % 50 = 0 then 'canceled' when n % 33 = 0 then 'pending' else 'created' end,
  case when n % 3 = 0 then 'ED14KY98G' else 'ED1NL4E3L' end, 1, 'Ada', 'Example ' || n, 'person' || n || '@example.test',
  '{"street1": "1 Main Street", "city": "Springfield", "state": "IL", "zip": "62701", "country": "US"}', 'order-' || n, false,
  'credits', 'paid', timestamptz '2026-01-01' - ($ORDERS - n) * interval '10 seconds'
from generate_series(1, $ORDERS) n;
insert into kits (realm_id, id, seq, order_id, kit_type, live, kit_status, sample_status, report_status, progress, customer_id,
  registered_email, registered_at, created_at, updated_at)
select $REALM, 'K' || $REALM || lpad(n::text, 9, '0'), n, 'O' || lpad(n::text, 9, '0'), 'ED1NL4E3L', true,
  case when n % 50 = 0 then 'canceled' when n % 4 = 0 then 'preparing' when n % 4 = 1 then 'inTransit' when n % 4 = 2 then 'delivered' else 'registered' end,
  case when n % 8 = 3 then 'received' else 'awaitingCollection' end, 'notStarted', '{"orderPlaced": "2026-01-01T00:00:00.000Z"}',
  case when n % 4 = 3 then 100000000000 + n end, case when n % 4 = 3 then 'person' || n || '@example.test' end,
  case when n % 4 = 3 then timestamptz '2026-01-03' - ($ORDERS - n) * interval '10 seconds' end,
  timestamptz '2026-01-01', timestamptz '2026-01-01'
from generate_series(1, $ORDERS) n;
insert into credit_transfers (realm_id, seq, kit_type, kind, from_account, to_account, amount, available_after, order_id, actor, at)
select $REALM, (select transfers from realm_counters where realm_id = $REALM) + n, 'ED1NL4E3L', 'order', 'available', 'spent', 1,
  1000000000 - n, 'O' || lpad(n::text, 9, '0'), 'bench', timestamptz '2026-01-01'
from generate_series(1, $ORDERS) n;
update realm_counters set orders = $ORDERS, kits = $ORDERS, customers = $ORDERS, transfers = transfers + $ORDERS,
  ordered_at = '2026-01-01' where realm_id = $REALM;
