-- What the operator packs and posts, and what carriers say of it.

-- The pack queue is over all businesses and holds live kits only: this keeps full sandboxes out of its index.
alter table kits add column live boolean not null default false;
set local role kitlane_system;
update kits k set live = true from realms r where r.id = k.realm_id and r.mode = 'live';
reset role;
create index kits_to_pack on kits (created_at, realm_id, seq) where live and kit_status = 'preparing';
create index kits_to_receive on kits (updated_at) where live and sample_status = 'inTransit';

-- A label: its number tells a carrier's word which kits it is about. Out, one parcel may hold several kits of an order;
-- back, it is one kit's. told_at: when the newest thing that its carrier said happened.
create table parcels (
  realm_id      integer not null,
  number        text not null,
  carrier       text not null,
  leg           text not null check (leg in ('toUser', 'toLab')),
  order_id      text not null,
  kit_id        text,
  told_at       timestamptz,
  delivered_at  timestamptz,
  created_at    timestamptz not null,
  primary key (realm_id, number),
  foreign key (realm_id, order_id) references orders on delete cascade,
  check ((leg = 'toLab') = (kit_id is not null))
);
-- Whoever scans a label does not know the business.
create unique index parcels_number on parcels (number);
create index parcels_order on parcels (realm_id, order_id);
select kitlane_protect('parcels', 'select');
grant insert, update, delete on parcels to kitlane_system;

-- Everything that carriers said, once: the same event twice is one. It belongs to no realm until its parcel is known.
create table carrier_events (
  id               bigint generated always as identity primary key,
  source           text not null,
  event_id         text not null,
  tracking_number  text not null,
  status           text not null,
  message          text,
  at               timestamptz not null,
  outcome          text not null check (outcome in ('moved', 'noted', 'late', 'unmatched')),
  received_at      timestamptz not null,
  unique (source, event_id)
);
create index carrier_events_number on carrier_events (tracking_number);
create index carrier_events_outcome on carrier_events (outcome, id);
grant select, insert, update on carrier_events to kitlane_system;

-- As idempotency_keys, for callers who belong to no realm. Answers are sealed: some hold tokens.
create table operator_idempotency_keys (
  key          text primary key,
  fingerprint  bytea not null,
  answer       bytea,
  created_at   timestamptz not null
);
create index operator_idempotency_keys_age on operator_idempotency_keys (created_at);
grant select, insert, update, delete on operator_idempotency_keys to kitlane_system;

-- What the operator's overview counts.
create index emails_failed on emails (created_at) where status = 'failed';

-- The page about the system says how far the schema is.
grant select on schema_migrations to kitlane_system;

-- How the ledger stood when it was added up last.
create table ledger_checks (
  at  timestamptz primary key,
  ok  boolean not null
);
grant select, insert, delete on ledger_checks to kitlane_system;
