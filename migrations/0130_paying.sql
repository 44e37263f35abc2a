-- Paying: cards are added on a page of their own, charges have receipts, credits are bought by card and top themselves up.

-- credits, top_up: credits that somebody buys, or that a top-up buys by itself. The name of the dropped constraint stays free.
alter table payments
  drop constraint payments_purpose_check,
  add constraint payments_purposes check (purpose in ('orders', 'bulk', 'pending_order', 'credits', 'top_up')) not valid,
  add column card_brand text,
  add column card_last4 text;
create index payments_listed on payments (realm_id, created_at, id);
-- What the automatic purchases of a month add up to.
create index payments_top_ups on payments (realm_id, created_at) where purpose = 'top_up';

-- items: the kits that are given back, for the credit note.
alter table refunds add column items jsonb;
-- What one kit cost, where an order of several kit types is paid by card. Orders of one kit type divide their amount.
alter table order_lines add column price_minor bigint;

alter table credit_transfers
  drop constraint credit_transfers_check,
  add column payment_id text,
  add constraint credit_transfers_kinds check ((kind, from_account, to_account) in (
    ('grant', 'issued', 'available'), ('purchase', 'issued', 'available'), ('revoke', 'available', 'issued'),
    ('order', 'available', 'spent'), ('refund', 'spent', 'available'),
    ('reserve', 'available', 'reserved'), ('capture', 'reserved', 'spent'), ('release', 'reserved', 'available'))) not valid;

-- What stands on receipts about the business.
alter table realms
  add column billing_name text,
  add column billing_address text,
  add column billing_tax_number text;
grant update (billing_name, billing_address, billing_tax_number) on realms to kitlane_app;

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
grant select, insert, update on simulated_setups to kitlane_system;

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
select kitlane_protect('receipts', 'select, insert, delete');

-- The last number of each series: its row is locked until the transaction ends, so that no number is left out.
create table receipt_counters (
  realm_id  integer not null references realms,
  kind      text not null,
  year      integer not null,
  last      integer not null,
  primary key (realm_id, kind, year)
);
select kitlane_protect('receipt_counters', 'select, insert, update, delete');

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

-- Below it a top-up is wanted; null where the top-up is off. It stands with the balance so that orders need no other table.
alter table credit_balances add column top_up_below bigint;
create index credit_balances_top_up on credit_balances (realm_id, kit_type) where top_up_below is not null;

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

-- Live receipts stay: they are what the money did.
create policy sandbox_only on receipts as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');
create policy sandbox_only on receipt_counters as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');
