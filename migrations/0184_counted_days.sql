-- Numbers are read from days that a job has counted: a business with millions of orders waits as long for them as one with
-- thousands. No row is about a person.

-- The kits of the orders of a day (UTC), of one kit type and carrier of the box ('': not shipped yet). Live realms only.
create table counted_kits (
  realm_id            integer not null,
  day                 date not null,
  kit_type            text not null,
  carrier             text not null,
  ordered             integer not null,
  delivered           integer not null,
  registered          integer not null,
  returned            integer not null,
  received            integer not null,
  reported            integer not null,
  rejected            integer not null,
  failed              integer not null,
  canceled            integer not null,
  unregistered        integer not null,
  inferred_delivered  integer not null,
  inferred_returned   integer not null,
  inferred_received   integer not null,
  -- Reports that were promised. due: how many are not published, by the first day on which they are overdue.
  promised            integer not null,
  kept                integer not null,
  late                integer not null,
  due                 jsonb not null,
  -- How long legs took: in leg_kits, how many kits took so long. A length is 1000 times the number of the leg and
  -- floor(32 * ln(1 + tenths of an hour)).
  leg_lengths         integer[] not null,
  leg_kits            integer[] not null,
  primary key (realm_id, day, kit_type, carrier)
);
select kitlane_protect('counted_kits', 'select');
grant insert, delete on counted_kits to kitlane_system;

-- Credits spent on orders on a day, less those given back. upto: the last transfer in it.
create table counted_credits (
  realm_id  integer not null,
  day       date not null,
  kit_type  text not null,
  used      bigint not null,
  upto      bigint not null,
  primary key (realm_id, day, kit_type)
);
select kitlane_protect('counted_credits', 'select');
grant insert, update on counted_credits to kitlane_system;

-- Up to which kit and transfer a realm is counted. whole: that was all of them once; until then nobody reads what is counted.
create table counted_upto (
  realm_id   integer primary key,
  kits       bigint not null default 0,
  transfers  bigint not null default 0,
  whole      boolean not null default false
);
select kitlane_protect('counted_upto', 'select');
grant insert, update on counted_upto to kitlane_system;

-- When the last run that counted everything began.
create table counted_at (
  is_only  boolean primary key default true check (is_only),
  at       timestamptz
);
insert into counted_at default values;
grant select on counted_at to kitlane_app, kitlane_system;
grant update (at) on counted_at to kitlane_system;

-- As in 0037. A kit that changed, by itself or by its report, is counted again: 'kit.changed' with its ID. New kits are
-- found by their gapless numbers, so that an order costs nothing more.
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
    where key <> first group by 1, 3 having sum(n) <> 0
    union all
    select realm_id, 'kit.changed', id, 1 from added where live;
  end if;
  return null;
end $$;

create or replace function tally_reports() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'report', status, count(*) from added group by 1, 3
    union all select realm_id, 'report.day', (published_at at time zone 'UTC')::date::text, count(*) from added
    where published_at is not null group by 1, 3
    union all select realm_id, 'kit.changed', kit_id, 1 from added where kit_id is not null;
  elsif tg_op = 'DELETE' then
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'report', status, -count(*) from removed group by 1, 3
    union all select realm_id, 'report.day', (published_at at time zone 'UTC')::date::text, -count(*) from removed
    where published_at is not null group by 1, 3
    union all select realm_id, 'kit.changed', kit_id, 1 from removed where kit_id is not null;
  else
    insert into tallies (realm_id, name, key, amount)
    select realm_id, name, key, sum(n) from (
      select realm_id, 'report' as name, status as key, 1 as n from added
      union all select realm_id, 'report', status, -1 from removed
      union all select realm_id, 'report.day', (published_at at time zone 'UTC')::date::text, 1 from added where published_at is not null
      union all select realm_id, 'report.day', (published_at at time zone 'UTC')::date::text, -1 from removed where published_at is not null) changes
    group by 1, 2, 3 having sum(n) <> 0
    union all
    select realm_id, 'kit.changed', kit_id, 1 from added where kit_id is not null
    union all
    select realm_id, 'kit.changed', kit_id, 1 from removed where kit_id is not null;
  end if;
  return null;
end $$;
