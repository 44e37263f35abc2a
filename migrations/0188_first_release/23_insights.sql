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
  is_only  boolean default true primary key check (is_only),
  at       timestamptz
);
grant select on counted_at to kitlane_app;
grant update (at) on counted_at to kitlane_system;

insert into counted_at default values;
