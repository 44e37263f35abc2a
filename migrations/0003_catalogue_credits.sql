-- What can be tested and ordered, and the prepaid credits of each realm.
create table biomarkers (
  id          text not null,
  version     integer not null,
  definition  jsonb not null,
  reason      text not null,
  created_at  timestamptz not null,
  primary key (id, version)
);
create table panels (
  kit_type    text primary key,
  name        text not null,
  sex         text check (sex in ('M', 'F')),
  biomarkers  text[] not null check (cardinality(biomarkers) > 0),
  created_at  timestamptz not null
);
grant select on biomarkers, panels to kitlane_app;
grant select, insert, update on biomarkers, panels to kitlane_system;

create table realm_panels (
  realm_id     integer not null references realms,
  kit_type     text not null references panels,
  price_minor  integer not null check (price_minor >= 0),
  currency     text not null check (currency ~ '^[A-Z]{3}$'),
  created_at   timestamptz not null,
  primary key (realm_id, kit_type)
);
select kitlane_protect('realm_panels', 'select');
grant insert, update on realm_panels to kitlane_system;

-- The two balances that are spent from. Neither can be negative, and each equals the sum of its transfers (verify-ledger).
create table credit_balances (
  realm_id   integer not null references realms,
  kit_type   text not null references panels,
  available  bigint not null check (available >= 0),
  reserved   bigint not null default 0 check (reserved >= 0),
  primary key (realm_id, kit_type)
);
select kitlane_protect('credit_balances', 'select, insert, update');

-- A transfer is a double entry: `amount` leaves one account and enters the other, so the sum over all accounts is always zero.
-- issued: what the operator gave out (its balance is minus that). spent: what orders used.
create table credit_transfers (
  realm_id         integer not null references realms,
  seq              bigint not null,
  kit_type         text not null,
  kind             text not null,
  from_account     text not null,
  to_account       text not null,
  amount           bigint not null check (amount > 0),
  available_after  bigint not null,
  order_id         text,
  note             text,
  actor            text not null,
  at               timestamptz not null,
  primary key (realm_id, seq),
  foreign key (realm_id, kit_type) references credit_balances,
  check ((kind, from_account, to_account) in (
    ('grant', 'issued', 'available'), ('revoke', 'available', 'issued'),
    ('order', 'available', 'spent'), ('refund', 'spent', 'available'),
    ('reserve', 'available', 'reserved'), ('capture', 'reserved', 'spent'), ('release', 'reserved', 'available')))
);
create index credit_transfers_order on credit_transfers (realm_id, order_id);
-- An order takes each type once and gives it back once.
create unique index credit_transfers_once on credit_transfers (realm_id, order_id, kit_type, kind) where kind in ('order', 'refund');
select kitlane_protect('credit_transfers', 'select, insert');
