-- Order intake by group: one transaction places the orders of several realms. It runs as kitlane_intake, which sees the
-- realms named in kitlane.realms (`,5,12,`) and may do nothing but what placing takes.
do $$ begin
  if not exists (select from pg_roles where rolname = 'kitlane_intake') then
    create role kitlane_intake nosuperuser nobypassrls noinherit nocreatedb nocreaterole;
  end if;
exception when duplicate_object or unique_violation then null; end $$;
do $$ begin
  if not exists (select from pg_auth_members m join pg_roles r on r.oid = m.roleid join pg_roles u on u.oid = m.member
                 where r.rolname = 'kitlane_intake' and u.rolname = 'kitlane_app') then
    grant kitlane_intake to kitlane_app;
  end if;
end $$;
grant usage on schema public to kitlane_intake;

-- A text search, not an array: it is asked for every row that is written.
create function kitlane_in_group(realm integer) returns boolean language sql stable
  return strpos(current_setting('kitlane.realms', true), ',' || realm || ',') > 0;

do $$ declare t text; p text; begin
  for t, p in values
    ('realm_counters', 'select, update'), ('realm_panels', 'select'), ('payment_methods', 'select'),
    ('credit_balances', 'select, update'), ('credit_transfers', 'insert'), ('idempotency_keys', 'select, insert, delete'),
    ('orders', 'insert'), ('order_items', 'insert'), ('kits', 'insert'), ('events', 'insert'), ('audit_entries', 'insert'),
    ('emails', 'insert'), ('tallies', 'insert'), ('webhook_endpoints', 'select'), ('webhook_deliveries', 'insert') loop
    execute format('create policy realms_of_group on %I to kitlane_intake using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id))', t);
    execute format('grant %s on %I to kitlane_intake', p, t);
  end loop;
end $$;
-- The same for reading orders of several realms at once, with what the audit says of it.
do $$ begin
  if not exists (select from pg_roles where rolname = 'kitlane_reading') then
    create role kitlane_reading nosuperuser nobypassrls noinherit nocreatedb nocreaterole;
  end if;
exception when duplicate_object or unique_violation then null; end $$;
do $$ begin
  if not exists (select from pg_auth_members m join pg_roles r on r.oid = m.roleid join pg_roles u on u.oid = m.member
                 where r.rolname = 'kitlane_reading' and u.rolname = 'kitlane_app') then
    grant kitlane_reading to kitlane_app;
  end if;
end $$;
grant usage on schema public to kitlane_reading;
do $$ declare t text; begin
  foreach t in array array['orders', 'order_items', 'kits', 'audit_entries'] loop
    execute format('create policy realms_of_reading on %I to kitlane_reading using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id))', t);
  end loop;
end $$;
grant select on orders, order_items, kits to kitlane_reading;
grant insert on audit_entries to kitlane_reading;

create policy realms_of_group on realms for select to kitlane_intake using (kitlane_in_group(id));
create policy realms_of_group on businesses for select to kitlane_intake using (id in (select business_id from realms));
grant select on realms, businesses to kitlane_intake;

-- Lists of millions. Orders are dated in the order of their numbers, so that a range of dates is a range of numbers: an
-- order is never dated before the one placed before it.
alter table realm_counters add column ordered_at timestamptz;
set local role kitlane_system;
update orders set seq = -seq where realm_id in (
  select realm_id from (select realm_id, created_at < lag(created_at) over (partition by realm_id order by seq) as is_back from orders) o
  where is_back);
update orders o set seq = n.position
from (select realm_id, id, row_number() over (partition by realm_id order by created_at, seq desc) as position from orders where seq < 0) n
where o.realm_id = n.realm_id and o.id = n.id;
update realm_counters c set ordered_at = (select max(created_at) from orders o where o.realm_id = c.realm_id);
reset role;
drop index orders_created;
create index orders_created on orders (realm_id, created_at, seq);

-- How many rows of each block of numbers fit a filter, remembered from one reading to the next (counted.ts). counts: by
-- block. seen: every transaction before this one is in them. What changed since is in list_changes; new rows are those
-- above `upto`.
create table list_counts (
  realm_id     integer not null references realms,
  list         text not null,
  filter       text not null,
  counts       integer[] not null,
  upto         bigint not null,
  seen         xid8 not null,
  computed_at  timestamptz not null,
  primary key (realm_id, list, filter)
);
select kitlane_protect('list_counts', 'select, insert, update');
grant delete on list_counts to kitlane_system;
create index list_counts_age on list_counts (computed_at);

create table list_changes (
  realm_id  integer not null references realms,
  list      text not null,
  block     integer not null,
  xact      xid8 not null default pg_current_xact_id(),
  at        timestamptz not null default now()
);
create index list_changes_since on list_changes (realm_id, list, xact, block);
create index list_changes_age on list_changes (at);
select kitlane_protect('list_changes', 'select, insert');
grant delete on list_changes to kitlane_system;

-- Inserted rows need no line: whoever reads knows how far it has counted.
create function list_changed() returns trigger language plpgsql as $$
begin
  insert into list_changes (realm_id, list, block)
  select distinct realm_id, tg_table_name, ((seq - 1) / 512)::int from changed;
  if tg_table_name = 'kits' then
    insert into list_changes (realm_id, list, block)
    select distinct o.realm_id, 'orders', ((o.seq - 1) / 512)::int
    from changed k join orders o on o.realm_id = k.realm_id and o.id = k.order_id;
  end if;
  return null;
end $$;
do $$ declare t text; begin
  foreach t in array array['orders', 'kits', 'customers'] loop
    execute format('create trigger list_changed after update on %I referencing new table as changed for each statement execute function list_changed()', t);
    execute format('create trigger list_removed after delete on %I referencing old table as changed for each statement execute function list_changed()', t);
  end loop;
end $$;
