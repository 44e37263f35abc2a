-- An order writes less. What each part cost was measured with pg_stat_statements: foreign keys 105 µs of the database for an
-- order, indexes that no statement needs 80 µs (docs/performance.md).
--
-- Against the rule: nothing is removed or renamed that the version before reads or writes, because order_items stays as a
-- view that reads and takes what the table did.

-- Foreign keys. Realms and panels are never deleted, and row-level security has just checked the realm. Kits, lines and
-- transfers are written with their order, by its one writer; `kitlane verify-ledger` looks for kits without an order. The
-- checks of kits and lines were also what made a new database slow: their plan is cached while the tables are almost
-- empty, and may then read all orders of the realm for each check.
alter table orders drop constraint orders_realm_id_fkey;
alter table order_items drop constraint order_items_kit_type_fkey, drop constraint order_items_realm_id_order_id_fkey;
alter table kits drop constraint kits_realm_id_fkey, drop constraint kits_kit_type_fkey, drop constraint kits_realm_id_order_id_fkey;
alter table credit_transfers drop constraint credit_transfers_realm_id_fkey, drop constraint credit_transfers_realm_id_kit_type_fkey;
alter table events drop constraint events_realm_id_fkey;
alter table audit_entries drop constraint audit_entries_realm_id_fkey;
alter table idempotency_keys drop constraint idempotency_keys_realm_id_fkey;
alter table tallies drop constraint tallies_realm_id_fkey;
alter table order_terms drop constraint order_terms_realm_id_fkey;
alter table list_changes drop constraint list_changes_realm_id_fkey;

-- An order that is deleted (in a sandbox) takes its lines and kits with it, as the foreign keys did.
create function order_removed() returns trigger language plpgsql as $$
begin
  delete from order_lines where realm_id = old.realm_id and order_id = old.id;
  delete from kits where realm_id = old.realm_id and order_id = old.id;
  return null;
end $$;
create trigger order_removed after delete on orders for each row execute function order_removed();

-- Indexes that nothing reads: with row-level security none serves lower(); lists count by blocks; credit_transfers_once
-- begins with the order, too.
drop index orders_email, order_items_kit_type, kits_kit_status, kits_sample_status, credit_transfers_order;
-- Few orders are pending or canceled, and most events are about no kit.
drop index orders_status, events_kit_sequence;
create index orders_unplaced on orders (realm_id, status, seq) where status <> 'created';
create unique index events_kit_sequence on events (realm_id, kit_id, sequence) where kit_id is not null;

-- An order of one line says it all itself: sku and quantity. Only those of several kit types (sku MIXED) have lines.
alter table order_items rename to order_lines;
create view order_items with (security_invoker = true) as
  select realm_id, id as order_id, sku as kit_type, quantity from orders where sku <> 'MIXED'
  union all
  select l.realm_id, l.order_id, l.kit_type, l.quantity
  from order_lines l join orders o on o.realm_id = l.realm_id and o.id = l.order_id where o.sku = 'MIXED';
create function order_items_added() returns trigger language plpgsql as $$
begin
  insert into order_lines (realm_id, order_id, kit_type, quantity) values (new.realm_id, new.order_id, new.kit_type, new.quantity);
  return new;
end $$;
create trigger order_items_added instead of insert on order_items for each row execute function order_items_added();
grant select, insert on order_items to kitlane_app, kitlane_system;
grant insert on order_items to kitlane_placement, kitlane_intake;
grant select on order_items to kitlane_reading;

-- Tallies hold what has left the place where it began. What has not is the gapless count less these.
drop trigger tally_added on orders;
drop trigger tally_added on kits;
create or replace function tally_orders() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into tallies (realm_id, name, key, amount) values (new.realm_id, 'order', new.status, 1);
  elsif tg_op = 'DELETE' then
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'order', status, -count(*) from removed where status <> 'created' group by 1, 3;
  else
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'order', status, sum(n) from (
      select realm_id, status, 1 as n from added union all select realm_id, status, -1 from removed) changes
    where status <> 'created' group by 1, 3 having sum(n) <> 0;
  end if;
  return null;
end $$;
create trigger tally_added after insert on orders for each row when (new.status <> 'created') execute function tally_orders();
create or replace function tally_kits() returns trigger language plpgsql as $$
declare
  first constant text := 'preparing/awaitingCollection/notStarted';
begin
  if tg_op = 'INSERT' then
    insert into tallies (realm_id, name, key, amount)
    values (new.realm_id, 'kit', tally_key(new.kit_status, new.sample_status, new.report_status, new.progress, new.replaced_by), 1);
  elsif tg_op = 'DELETE' then
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'kit', key, -count(*)
    from (select realm_id, tally_key(kit_status, sample_status, report_status, progress, replaced_by) as key from removed) k
    where key <> first group by 1, 3;
  else
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'kit', key, sum(n) from (
      select realm_id, tally_key(kit_status, sample_status, report_status, progress, replaced_by) as key, 1 as n from added
      union all
      select realm_id, tally_key(kit_status, sample_status, report_status, progress, replaced_by), -1 from removed) changes
    where key <> first group by 1, 3 having sum(n) <> 0;
  end if;
  return null;
end $$;
create trigger tally_added after insert on kits for each row
  when (new.kit_status <> 'preparing' or new.sample_status <> 'awaitingCollection' or new.report_status <> 'notStarted'
    or new.replaced_by is not null or new.progress ? 'kitPreparing')
  execute function tally_kits();

-- A group of orders reads balances and numbers without locks, while the group before it is still being written, and claims
-- them with its own writes. If another process was faster, this ends its transaction.
create function kitlane_claimed(same bigint, all_of_them integer) returns void language plpgsql as $$
begin
  if same <> all_of_them then
    raise exception 'rows have changed since they were read' using errcode = 'KT001';
  end if;
end $$;
