-- Who uses the installation. A realm is one business in one mode, and every row of business data carries its ID. Counts of a
-- realm are kept as changes: whoever changes rows adds a line and waits for nobody, and a job folds the lines together.

create table businesses (
  id                text primary key,
  name              text not null,
  created_at        timestamptz not null,
  -- Whether an administrator of the business approves before somebody of the operator enters.
  approves_support  boolean not null default false
);
alter table businesses enable row level security;
alter table businesses force row level security;
create policy every_realm on businesses to kitlane_system using (true) with check (true);
create policy not_the_owner on businesses for select to current_user using (kitlane_refuse_owner());
grant select on businesses to kitlane_app, kitlane_placement;
grant insert, update on businesses to kitlane_system;
grant update (name) on businesses to kitlane_app;

create table realms (
  id                     integer generated always as identity primary key,
  business_id            text not null references businesses,
  mode                   text not null check (mode in ('live', 'sandbox')),
  publishing             text not null default 'manual' check (publishing in ('manual', 'auto')),
  insufficient_credits   text not null default 'charge' check (insufficient_credits in ('charge', 'pending', 'reject')),
  purchasing_enabled     boolean not null default true,
  uploads_enabled        boolean not null default false,
  require_consent        boolean not null default false,
  low_credit_threshold   integer check (low_credit_threshold >= 0),
  rate_limit_per_minute  integer not null default 6000 check (rate_limit_per_minute > 0),
  -- How a business shows itself in e-mails, and where it wants to be written to.
  brand_color            text check (brand_color ~ '^#[0-9a-f]{6}$'),
  logo_url               text check (logo_url ~ '^https://'),
  contact_email          text,
  -- Whether a report that only waited for acknowledgements is published with the last one, where reports are published at once.
  publish_acknowledged   boolean not null default false,
  -- How far a business has advanced the clock of its sandbox, in all. The clock itself is that of the database for every realm: an
  -- advance moves the times of the sandbox's rows back (sandbox/clock.ts). Live data has no such clock.
  clock_advanced_ms      bigint not null default 0,
  -- What people who were tested may order again from their report, paid with the credits of the business.
  retest_panels          text[] not null default '{}',
  -- What stands on receipts about the business.
  billing_name           text,
  billing_address        text,
  billing_tax_number     text,
  unique (business_id, mode),
  check (clock_advanced_ms >= 0 and (mode = 'sandbox' or clock_advanced_ms = 0))
);
alter table realms enable row level security;
alter table realms force row level security;
create policy every_realm on realms to kitlane_system using (true) with check (true);
create policy not_the_owner on realms for select to current_user using (kitlane_refuse_owner());
create policy realm on realms to kitlane_app using (id = kitlane_realm()) with check (id = kitlane_realm());
create policy realms_of_group on realms for select to kitlane_placement using (kitlane_in_group(id));
grant select on realms to kitlane_app, kitlane_placement;
grant insert, update on realms to kitlane_system;
grant update (
  publishing, insufficient_credits, purchasing_enabled, require_consent, low_credit_threshold, brand_color, logo_url,
  contact_email, publish_acknowledged, clock_advanced_ms, retest_panels, billing_name, billing_address, billing_tax_number
) on realms to kitlane_app;
-- The inner select is itself limited to the current realm.
create policy own_name on businesses for update to kitlane_app using (id = (select business_id from realms));
create policy realm on businesses for select to kitlane_app using (id = (select business_id from realms));
create policy realms_of_group on businesses for select to kitlane_placement using (id in (select business_id from realms));

-- Gapless numbers per realm, so that a page of a list is a range scan (no OFFSET, no count).
create table realm_counters (
  realm_id    integer primary key references realms,
  orders      bigint not null default 0,
  kits        bigint not null default 0,
  customers   bigint not null default 0,
  transfers   bigint not null default 0,
  -- Lists of millions. Orders are dated in the order of their numbers, so that a range of dates is a range of numbers: an
  -- order is never dated before the one placed before it.
  ordered_at  timestamptz
);
select kitlane_protect('realm_counters', 'select, insert, update');
create policy realms_of_group on realm_counters to kitlane_placement using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
grant select, update on realm_counters to kitlane_placement;

-- Counts are kept as changes: whoever changes rows adds a line and waits for nobody. A job folds the lines together.
-- order, report: by status. order.day, report.day: placed and published on a day, UTC. kit: by its
-- three statuses and a mark (tally_key).
create table tallies (
  realm_id  integer not null,
  name      text not null,
  key       text not null,
  amount    bigint not null
);
create index tallies_realm on tallies (realm_id, name, key);
select kitlane_protect('tallies', 'select, insert');
create policy realms_of_group on tallies to kitlane_placement using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
grant delete on tallies to kitlane_system;
grant insert on tallies to kitlane_placement;
