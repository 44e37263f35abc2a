-- Boxes that did not reach their recipient, and what is done about each: one row for a kit, beside its status.
-- since: when the trouble began; times: how often it happened to this kit; is_here: the operator has the box in hand.
-- postage: what carriers charged for bringing boxes back and sending them again, in minor units by currency.
-- link_hash: of the secret of the newest link by which its recipient says where to send it.
create table undelivered_kits (
  realm_id         integer not null,
  kit_id           text not null,
  order_id         text not null,
  live             boolean not null,
  outcome          text not null check (outcome in
    ('waitingForPickup', 'notDelivered', 'returnedToSender', 'refused', 'damaged', 'lost', 'labelCanceled')),
  state            text not null check (state in
    ('waiting', 'undecided', 'awaitingBox', 'readyToSend', 'needsNewKit', 'underWay', 'sentAgain', 'replaced', 'arrived', 'closed')),
  is_here          boolean not null,
  since            timestamptz not null,
  changed_at       timestamptz not null,
  times            integer not null default 1,
  postage          jsonb not null default '{}',
  link_hash        bytea,
  link_expires_at  timestamptz,
  -- Somebody has to act.
  is_open          boolean not null generated always as (state in ('waiting', 'undecided', 'awaitingBox', 'readyToSend', 'needsNewKit')) stored,
  -- As far as anybody knows the box is with nobody, so a sample in it is a surprise.
  is_with_nobody   boolean not null generated always as (state not in ('underWay', 'sentAgain', 'arrived')) stored,
  primary key (realm_id, kit_id),
  foreign key (realm_id, kit_id) references kits on delete cascade,
  check ((link_hash is null) = (link_expires_at is null))
);
create index undelivered_kits_state on undelivered_kits (realm_id, state, since, kit_id);
create index undelivered_kits_order on undelivered_kits (realm_id, order_id);
-- The operator's queue goes over all businesses, the oldest first.
create index undelivered_kits_live on undelivered_kits (state, since, realm_id, kit_id) where live;
-- Whoever opens a link does not know the business.
create index undelivered_kits_kit on undelivered_kits (kit_id);
create unique index undelivered_kits_link on undelivered_kits (link_hash) where link_hash is not null;
select kitlane_protect('undelivered_kits', 'select, insert, update, delete');
