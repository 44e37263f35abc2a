-- What the operator packs and posts, and what carriers say of it.

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
  sealed           bytea,
  unique (source, event_id)
);
create index carrier_events_number on carrier_events (tracking_number);
create index carrier_events_outcome on carrier_events (outcome, id);
grant insert, update on carrier_events to kitlane_system;

-- Who packs which kit now, so that two packers never get the same one. A row that has expired says nothing: a browser
-- that died holds its kit for minutes only.
-- caller_id: a user or a token of the operator; station: one of their windows.
create table pack_claims (
  realm_id    integer not null,
  kit_id      text not null,
  caller_id   text not null,
  station     text not null,
  expires_at  timestamptz not null,
  primary key (realm_id, kit_id),
  foreign key (realm_id, kit_id) references kits on delete cascade
);
create index pack_claims_holder on pack_claims (caller_id, station);
select kitlane_protect('pack_claims', 'select');
grant insert, update, delete on pack_claims to kitlane_system;
