-- What the pages of a business read: counts that stay cheap however much there is, searching by the beginning of a name or
-- an e-mail, and who said what happened to a kit.

-- Counts are kept as changes: whoever changes rows adds a line and waits for nobody. A job folds the lines together.
-- order, report: by status. order.day, report.day: placed and published on a day, UTC. kit: by its
-- three statuses and a mark (tally_key).
create table tallies (
  realm_id  integer not null references realms,
  name      text not null,
  key       text not null,
  amount    bigint not null
);
create index tallies_realm on tallies (realm_id, name, key);
select kitlane_protect('tallies', 'select, insert');
grant delete on tallies to kitlane_system;

-- packed: somebody began to pack it. replaced: nobody has to care for it any more.
create function tally_key(kit_status text, sample_status text, report_status text, progress jsonb, replaced_by text)
returns text language sql immutable as $$
  select kit_status || '/' || sample_status || '/' || report_status || case
    when replaced_by is not null then '/replaced'
    when kit_status = 'preparing' and progress ? 'kitPreparing' then '/packed' else '' end
$$;

create function tally_orders() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'order', status, count(*) from added group by 1, 3
    union all select realm_id, 'order.day', (created_at at time zone 'UTC')::date::text, count(*) from added group by 1, 3;
  elsif tg_op = 'DELETE' then
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'order', status, -count(*) from removed group by 1, 3
    union all select realm_id, 'order.day', (created_at at time zone 'UTC')::date::text, -count(*) from removed group by 1, 3;
  else
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'order', status, sum(n) from (
      select realm_id, status, 1 as n from added union all select realm_id, status, -1 from removed) changes
    group by 1, 3 having sum(n) <> 0;
  end if;
  return null;
end $$;

create function tally_kits() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'kit', tally_key(kit_status, sample_status, report_status, progress, replaced_by), count(*)
    from added group by 1, 3;
  elsif tg_op = 'DELETE' then
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'kit', tally_key(kit_status, sample_status, report_status, progress, replaced_by), -count(*)
    from removed group by 1, 3;
  else
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'kit', key, sum(n) from (
      select realm_id, tally_key(kit_status, sample_status, report_status, progress, replaced_by) as key, 1 as n from added
      union all
      select realm_id, tally_key(kit_status, sample_status, report_status, progress, replaced_by), -1 from removed) changes
    group by 1, 3 having sum(n) <> 0;
  end if;
  return null;
end $$;

create function tally_reports() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'report', status, count(*) from added group by 1, 3
    union all select realm_id, 'report.day', (published_at at time zone 'UTC')::date::text, count(*) from added
    where published_at is not null group by 1, 3;
  elsif tg_op = 'DELETE' then
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'report', status, -count(*) from removed group by 1, 3
    union all select realm_id, 'report.day', (published_at at time zone 'UTC')::date::text, -count(*) from removed
    where published_at is not null group by 1, 3;
  else
    insert into tallies (realm_id, name, key, amount)
    select realm_id, name, key, sum(n) from (
      select realm_id, 'report' as name, status as key, 1 as n from added
      union all select realm_id, 'report', status, -1 from removed
      union all select realm_id, 'report.day', (published_at at time zone 'UTC')::date::text, 1 from added where published_at is not null
      union all select realm_id, 'report.day', (published_at at time zone 'UTC')::date::text, -1 from removed where published_at is not null) changes
    group by 1, 2, 3 having sum(n) <> 0;
  end if;
  return null;
end $$;

-- One trigger for each table and kind of change: a trigger with transition tables has one kind only.
do $$ declare t text; begin
  foreach t in array array['orders', 'kits', 'reports'] loop
    execute format('create trigger tally_added after insert on %I referencing new table as added for each statement execute function %I()', t, 'tally_' || t);
    execute format('create trigger tally_removed after delete on %I referencing old table as removed for each statement execute function %I()', t, 'tally_' || t);
    execute format('create trigger tally_changed after update on %I referencing new table as added old table as removed for each statement execute function %I()', t, 'tally_' || t);
  end loop;
end $$;

set local role kitlane_system;
insert into tallies (realm_id, name, key, amount)
select realm_id, 'order', status, count(*) from orders group by 1, 3
union all select realm_id, 'order.day', (created_at at time zone 'UTC')::date::text, count(*) from orders group by 1, 3
union all select realm_id, 'kit', tally_key(kit_status, sample_status, report_status, progress, replaced_by), count(*) from kits group by 1, 3
union all select realm_id, 'report', status, count(*) from reports group by 1, 3
union all select realm_id, 'report.day', (published_at at time zone 'UTC')::date::text, count(*) from reports where published_at is not null group by 1, 3;
reset role;

-- Kits that wait, by since when; and those that a person has to look at.
create index kits_waiting on kits (realm_id, kit_status, sample_status, updated_at)
  where report_status = 'notStarted' and replaced_by is null;
create index kits_troubled on kits (realm_id, seq) where replaced_by is null and (kit_status in ('deliveryException', 'registrationException')
  or sample_status in ('rejected', 'collectionException', 'deliveryException'));

-- Searching by how something begins. Row-level security lets no index help a function such as lower() (it is not marked
-- leakproof), so the text in lower case is kept; "C" makes what begins alike stand together.
-- Of orders it is kept apart and written by a job: three more indexes on orders cost 20 µs of each order placed. What the
-- job has not reached yet, a search reads from the orders themselves.
create table order_terms (
  realm_id  integer not null references realms,
  term      text collate "C" not null,
  order_id  text not null,
  primary key (realm_id, term, order_id)
);
select kitlane_protect('order_terms', 'select, insert, delete');
-- Up to which order.
create table order_terms_done (
  realm_id  integer primary key references realms,
  seq       bigint not null
);
select kitlane_protect('order_terms_done', 'select, insert, update, delete');
alter table customers
  add column email_key text collate "C" generated always as (lower(email)) stored,
  add column name_key text collate "C" generated always as (lower(name)) stored,
  add column last_key text collate "C" generated always as (lower(coalesce(last_name, substring(name from '[^ ]+$')))) stored;
create index customers_email_key on customers (realm_id, email_key);
create index customers_name_key on customers (realm_id, name_key);
create index customers_last_key on customers (realm_id, last_key);

-- Who said it. Null: before this column was.
alter table events add column actor text;

create index reports_listed on reports (realm_id, created_at);
create index reports_by_status on reports (realm_id, status, created_at);
create index bulk_jobs_listed on bulk_jobs (realm_id, created_at);

-- A version shows the dates it was made with. What is there already gets those of its report.
alter table report_versions add column collected_date date, add column resulted_date date;
grant update (collected_date, resulted_date) on report_versions to kitlane_system;
set local role kitlane_system;
update report_versions v set collected_date = r.collected_date, resulted_date = r.resulted_date
from reports r where r.realm_id = v.realm_id and r.id = v.report_id;
reset role;
revoke update (collected_date, resulted_date) on report_versions from kitlane_system;

-- A business names itself.
grant update (name) on businesses to kitlane_app;
create policy own_name on businesses for update to kitlane_app using (id = (select business_id from realms));
