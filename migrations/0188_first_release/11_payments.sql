-- Cards, charges and what came back of them, receipts, and top-ups.

-- Cards, and bulk orders as jobs.
create table payment_methods (
  realm_id      integer not null references realms,
  id            text not null,
  gateway       text not null check (gateway in ('stripe', 'simulated')),
  customer_ref  text not null,
  brand         text not null,
  last4         text not null,
  exp_month     integer not null,
  exp_year      integer not null,
  is_default    boolean not null,
  attached_at   timestamptz not null,
  primary key (realm_id, id)
);
create unique index payment_methods_default on payment_methods (realm_id) where is_default;
select kitlane_protect('payment_methods', 'select, insert, update, delete');
create policy realms_of_group on payment_methods to kitlane_placement using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
grant select on payment_methods to kitlane_placement;

-- A payment is a row before the gateway is asked, so that whatever a crash leaves can be finished with the same key.
-- requested → charged | authorised | declined;  authorised → captured | released
-- key_number: part of the key that the gateway gets. Another one is used only after the gateway said that it knows no charge of the last.
-- purpose, request: what is done once the gateway's answer is known; blanked then, since it holds recipients.
-- idempotency_key: the caller's, whose answer waits for this one.
create table payments (
  realm_id         integer not null references realms,
  id               text not null,
  state            text not null check (state in ('requested', 'charged', 'authorised', 'declined', 'captured', 'released')),
  purpose          text not null,
  on_decline       text not null check (on_decline in ('refuse', 'pending')),
  method_id        text not null,
  customer_ref     text not null,
  amount_minor     bigint not null check (amount_minor > 0),
  captured_minor   bigint not null default 0,
  currency         text not null,
  gateway_ref      text,
  decline_code     text,
  request          jsonb,
  outcome          jsonb,
  idempotency_key  text,
  request_id       text,
  actor            text not null,
  attempts         integer not null default 0,
  key_number       integer not null default 1,
  checked_at       timestamptz not null,
  created_at       timestamptz not null,
  sealed           bytea,
  -- credits, top_up: credits that somebody buys, or that a top-up buys by itself. The name of the dropped constraint stays free.
  card_brand       text,
  card_last4       text,
  primary key (realm_id, id),
  check (captured_minor <= amount_minor),
  constraint payments_purposes check (purpose in ('orders', 'bulk', 'pending_order', 'credits', 'top_up')),
  constraint payments_request check ((state = 'requested') = (request is not null or sealed is not null))
);
alter table payments alter column sealed set storage external;
create index payments_open on payments (checked_at) where state in ('requested', 'authorised');
create index payments_ref on payments (gateway_ref) where gateway_ref is not null;
create index payments_listed on payments (realm_id, created_at, id);
-- What the automatic purchases of a month add up to.
create index payments_top_ups on payments (realm_id, created_at) where purpose = 'top_up';
create index payments_reference on payments (gateway_ref) where gateway_ref is not null;
select kitlane_protect('payments', 'select, insert, update, delete');
create policy sandbox_only on payments as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');

-- One refund an order at most: canceled once, refunded once.
create table refunds (
  realm_id      integer not null,
  order_id      text not null,
  payment_id    text not null,
  amount_minor  bigint not null check (amount_minor > 0),
  state         text not null check (state in ('requested', 'done')),
  created_at    timestamptz not null,
  done_at       timestamptz,
  -- items: the kits that are given back, for the credit note.
  items         jsonb,
  primary key (realm_id, order_id),
  foreign key (realm_id, payment_id) references payments on delete cascade
);
create index refunds_open on refunds (created_at) where state = 'requested';
select kitlane_protect('refunds', 'select, insert, update, delete');
create policy sandbox_only on refunds as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');

-- The simulated gateway's own books, as another company would keep them: no realm, no reference to ours.
create table simulated_charges (
  idempotency_key  text primary key,
  ref              text not null unique,
  amount           bigint not null check (amount > 0),
  currency         text not null,
  captured         bigint not null,
  refunded         bigint not null default 0,
  state            text not null check (state in ('charged', 'authorised', 'declined', 'canceled', 'refunded')),
  decline_code     text,
  method_id        text not null,
  refund_keys      text[] not null default '{}',
  created_at       timestamptz not null,
  check (captured between 0 and amount),
  check (refunded between 0 and captured)
);
grant insert, update on simulated_charges to kitlane_system;

-- Adding a card: a page that works once, for half an hour. Its address has a secret; only the hash is kept.
create table card_sessions (
  realm_id      integer not null references realms,
  id            text not null,
  secret_hash   bytea not null unique,
  gateway       text not null check (gateway in ('stripe', 'simulated')),
  customer_ref  text not null,
  setup_ref     text not null,
  state         text not null check (state in ('open', 'saved', 'ended')),
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  primary key (realm_id, id)
);
select kitlane_protect('card_sessions', 'select, insert, update, delete');

-- The simulated gateway's own books of cards that are being added.
create table simulated_setups (
  ref          text primary key,
  business_id  text not null,
  state        text not null check (state in ('open', 'declined', 'confirming', 'saved')),
  method_id    text,
  created_at   timestamptz not null
);
grant insert, update on simulated_setups to kitlane_system;

-- A receipt, an invoice or a credit note is what it was when it was issued: nothing updates it.
-- content: lines, seller, buyer and card, as printed.
create table receipts (
  realm_id      integer not null,
  kind          text not null check (kind in ('receipt', 'invoice', 'credit_note')),
  year          integer not null,
  number        integer not null check (number > 0),
  payment_id    text not null,
  order_ids     text[] not null,
  amount_minor  bigint not null check (amount_minor > 0),
  currency      text not null,
  content       jsonb not null,
  issued_at     timestamptz not null,
  primary key (realm_id, kind, year, number),
  foreign key (realm_id, payment_id) references payments on delete cascade
);
-- A charge has one receipt, and an order is given back once.
create unique index receipts_charge on receipts (realm_id, payment_id) where kind <> 'credit_note';
create unique index receipts_refund on receipts (realm_id, payment_id, (order_ids[1])) where kind = 'credit_note';
create index receipts_payment on receipts (realm_id, payment_id);
select kitlane_protect('receipts', 'select, insert, delete');
create policy sandbox_only on receipts as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');

-- The last number of each series: its row is locked until the transaction ends, so that no number is left out.
create table receipt_counters (
  realm_id  integer not null references realms,
  kind      text not null,
  year      integer not null,
  last      integer not null,
  primary key (realm_id, kind, year)
);
select kitlane_protect('receipt_counters', 'select, insert, update, delete');
create policy sandbox_only on receipt_counters as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');

-- The most that top-ups may spend in a month; its row also lets the top-ups of a business decide one after another.
create table top_up_terms (
  realm_id       integer primary key references realms,
  ceiling_minor  bigint check (ceiling_minor > 0)
);
select kitlane_protect('top_up_terms', 'select, insert, update, delete');

-- payment_id: the purchase under way, of which there is one at a time. failures: declines one after another.
create table top_ups (
  realm_id    integer not null references realms,
  kit_type    text not null references panels,
  below       bigint not null check (below > 0),
  amount      bigint not null check (amount > 0),
  is_on       boolean not null,
  off_reason  text,
  failures    integer not null default 0,
  payment_id  text,
  retry_at    timestamptz,
  primary key (realm_id, kit_type)
);
select kitlane_protect('top_ups', 'select, insert, update, delete');

-- What the administrators of a business were told once: kind and subject say about what.
create table payment_notices (
  realm_id    integer not null references realms,
  kind        text not null,
  subject     text not null,
  facts       jsonb not null,
  created_at  timestamptz not null,
  told_at     timestamptz,
  primary key (realm_id, kind, subject)
);
select kitlane_protect('payment_notices', 'select, insert, update, delete');

-- Refunds and disputes that were made at the payment provider, each by the provider's ID. credits_taken: what was revoked for it;
-- credits_waiting: what was spent already, so that a person decides.
create table payment_reversals (
  realm_id         integer not null,
  id               text not null,
  payment_id       text not null,
  kind             text not null check (kind in ('refund', 'dispute')),
  state            text not null check (state in ('done', 'failed', 'inquiry', 'open', 'won', 'lost')),
  amount_minor     bigint not null check (amount_minor > 0),
  reason           text,
  credits_taken    integer not null default 0 check (credits_taken >= 0),
  credits_waiting  integer not null default 0 check (credits_waiting >= 0),
  has_credit_note  boolean not null default false,
  created_at       timestamptz not null,
  changed_at       timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, payment_id) references payments on delete cascade
);
create index payment_reversals_payment on payment_reversals (realm_id, payment_id);
select kitlane_protect('payment_reversals', 'select, insert, update, delete');
create policy sandbox_only on payment_reversals as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');
