-- On a fresh database the planner knows nothing of these tables, and takes an index that leads with realm_id alone as good
-- as the primary key, above all one of a single page. The foreign key checks of a bulk job then read all orders of the realm for
-- each kit: 10,000 rows measured 14 s instead of 3 s until the first autovacuum. So: rows of two made-up realms, ANALYZE, rows
-- gone again. What ANALYZE learnt stays, and so do the pages of the indexes.
do $$ declare t text; begin
  foreach t in array array['businesses', 'realms', 'customers', 'orders', 'order_lines', 'kits', 'bulk_jobs', 'bulk_rows',
    'credit_transfers', 'credit_balances', 'events', 'audit_entries', 'webhook_endpoints', 'webhook_deliveries', 'emails'] loop
    execute format('alter table %I no force row level security', t);
    execute format('alter table %I disable trigger user', t);
  end loop;
end $$;

insert into businesses (id, name, created_at) values ('planner', 'planner', now());
insert into realms (business_id, mode) values ('planner', 'live'), ('planner', 'sandbox');
insert into panels (kit_type, name, biomarkers, created_at) values ('planner', 'planner', '{planner}', now());
create temporary table numbers on commit drop as
  select r.id as realm_id, n, now() - n * interval '1 minute' as at
  from realms r, generate_series(1, 1000) n where r.business_id = 'planner';

insert into customers (realm_id, id, seq, email, name, created_at) select realm_id, n, n, 'p' || n, 'planner', at from numbers;
insert into orders (realm_id, id, seq, status, sku, quantity, email, external_id, notify, payment_method, payment_status, created_at)
  select realm_id, 'p' || n, n, 'created', 'planner', 1, 'p' || n, 'p' || n, false, 'credits', 'paid', at from numbers;
insert into order_lines (realm_id, order_id, kit_type, quantity) select realm_id, 'p' || n, 'planner', 1 from numbers;
insert into kits (realm_id, id, seq, order_id, kit_type, kit_status, sample_status, report_status, progress, customer_id, created_at, updated_at)
  select realm_id, 'p' || realm_id || '-' || n, n, 'p' || n, 'planner', 'preparing', 'awaitingCollection', 'notStarted', '{}',
         case when n % 2 = 0 then n end, at, at from numbers;
insert into bulk_jobs (realm_id, id, status, payment_method, prices, total, worked_at, created_at)
  select realm_id, 'p' || n, 'completed', 'credits', '[]', 1, at, at from numbers;
insert into bulk_rows (realm_id, job_id, row, status, request)
  select realm_id, 'p' || (n % 10 + 1), n, 'pending', '{}' from numbers;
insert into credit_balances (realm_id, kit_type, available) select distinct realm_id, 'planner', 0 from numbers;
insert into credit_transfers (realm_id, seq, kit_type, kind, from_account, to_account, amount, available_after, order_id, actor, at)
  select realm_id, n, 'planner', 'order', 'available', 'spent', 1, 0, 'p' || n, 'planner', at from numbers;
insert into events (realm_id, id, type, order_id, data, occurred_at) select realm_id, 'p' || n, 'planner', 'p' || n, '{}', at from numbers;
insert into audit_entries (realm_id, at, actor, action, object_type, object_id)
  select realm_id, at, 'planner', 'planner', 'order', 'p' || n from numbers;
insert into webhook_endpoints (realm_id, id, url, payload, enabled, secret, created_at)
  select realm_id, 'p' || n, 'planner', 'full', true, '', at from numbers where n <= 3;
insert into webhook_deliveries (realm_id, id, endpoint_id, event_id, status, created_at, finished_at)
  select realm_id, 'p' || n, 'p' || (n % 3 + 1), 'p' || n, 'delivered', at, at from numbers;
insert into emails (realm_id, id, kind, recipient, sender_name, subject, text, html, status, order_id, created_at, sent_at)
  select realm_id, 'p' || realm_id || '-' || n, 'planner', 'p' || n, 'planner', 'planner', 'planner', 'planner', 'sent', 'p' || n, at, at from numbers;

analyze webhook_deliveries, emails, customers, orders, order_lines, kits, bulk_jobs, bulk_rows, credit_transfers, events, audit_entries;

do $$ declare t text; begin
  foreach t in array array['webhook_deliveries', 'webhook_endpoints', 'emails', 'audit_entries', 'events', 'credit_transfers',
    'credit_balances', 'bulk_rows', 'bulk_jobs', 'kits', 'order_lines', 'orders', 'customers'] loop
    execute format('delete from %I where realm_id in (select id from realms where business_id = ''planner'')', t);
  end loop;
end $$;
delete from realms where business_id = 'planner';
delete from businesses where id = 'planner';
delete from panels where kit_type = 'planner';

do $$ declare t text; begin
  foreach t in array array['businesses', 'realms', 'customers', 'orders', 'order_lines', 'kits', 'bulk_jobs', 'bulk_rows',
    'credit_transfers', 'credit_balances', 'events', 'audit_entries', 'webhook_endpoints', 'webhook_deliveries', 'emails'] loop
    execute format('alter table %I enable trigger user', t);
    execute format('alter table %I force row level security', t);
  end loop;
  -- A few pages without a row are worse than none: from them the planner concludes that every page to come is empty, too, and
  -- takes any table for one row. A table that is written anew is one of unknown density, of which the planner knows the size.
  foreach t in array array['customers', 'orders', 'kits', 'bulk_jobs', 'bulk_rows', 'credit_transfers', 'events',
    'audit_entries_before', 'webhook_deliveries', 'emails'] loop
    execute format('cluster %I using %I', t, t || '_pkey');
  end loop;
end $$;
