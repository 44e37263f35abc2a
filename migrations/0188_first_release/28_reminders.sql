-- Reminders: the rules of a business, what was sent about each kit, and what somebody does not want.

-- Reminders by e-mail: the rules of a business, what was sent about each kit, and what somebody does not want.
create table reminder_rules (
  realm_id    integer not null references realms,
  stage       text not null check (stage in ('register', 'post', 'parcel', 'sample', 'retest')),
  -- Empty: every panel that has no rule of its own.
  kit_type    text not null default '',
  after_days  integer not null check (after_days between 1 and 1100),
  -- Null: once.
  every_days  integer check (every_days between 1 and 365),
  times       smallint not null,
  -- What was due before is not made up for.
  since       timestamptz not null,
  by          text not null default 'email' check (by in ('email', 'text')),
  primary key (realm_id, stage, kit_type),
  check (times between 1 and 10 and (times = 1) = (every_days is null))
);
select kitlane_protect('reminder_rules', 'select, insert, update, delete');

-- The key is the promise that each is sent once, whoever sends it.
create table reminders (
  realm_id   integer not null,
  kit_id     text not null,
  stage      text not null,
  number     smallint not null,
  sent_at    timestamptz not null,
  to_person  boolean not null,
  -- Of the secret in the link that stops them.
  stop_hash  bytea not null unique,
  by         text not null default 'email' check (by in ('email', 'text')),
  primary key (realm_id, kit_id, stage, number),
  foreign key (realm_id, kit_id) references kits on delete cascade
);
select kitlane_protect('reminders', 'select, insert, update');

create table reminder_stops (
  realm_id     integer not null,
  kit_id       text not null,
  -- Whom it counts for where it is about further tests; null: it is about this kit.
  customer_id  bigint,
  stopped_at   timestamptz not null,
  primary key (realm_id, kit_id),
  foreign key (realm_id, kit_id) references kits on delete cascade
);
create index reminder_stops_customer on reminder_stops (realm_id, customer_id) where customer_id is not null;
select kitlane_protect('reminder_stops', 'select, insert, update, delete');
