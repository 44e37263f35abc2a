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

-- prices: what a kit cost when the job was asked for.
create table bulk_jobs (
  realm_id          integer not null references realms,
  id                text not null,
  status            text not null check (status in ('queued', 'processing', 'completed', 'canceled', 'failed')),
  payment_method    text not null check (payment_method in ('credits', 'card', 'later')),
  payment_id        text,
  prices            jsonb not null,
  total             integer not null check (total > 0),
  succeeded         integer not null default 0,
  failed            integer not null default 0,
  created_at        timestamptz not null,
  started_at        timestamptz,
  worked_at         timestamptz not null,
  completed_at      timestamptz,
  primary key (realm_id, id),
  check (succeeded + failed <= total)
);
-- What the sweep looks for: jobs that are not done and that nobody has worked on for a while.
create index bulk_jobs_open on bulk_jobs (worked_at) where status in ('queued', 'processing');
select kitlane_protect('bulk_jobs', 'select, insert, update, delete');

-- request: the order to be. It holds a recipient, so it is blanked once the row is done.
create table bulk_rows (
  realm_id       integer not null,
  job_id         text not null,
  row            integer not null,
  status         text not null check (status in ('pending', 'created', 'failed')),
  request        jsonb,
  external_id    text,
  order_id       text,
  error_code     text,
  error_message  text,
  primary key (realm_id, job_id, row),
  foreign key (realm_id, job_id) references bulk_jobs on delete cascade,
  check ((status = 'pending') = (request is not null)),
  check ((status = 'created') = (order_id is not null)),
  check ((status = 'failed') = (error_code is not null))
);
create index bulk_rows_status on bulk_rows (realm_id, job_id, status, row);
create unique index bulk_rows_order on bulk_rows (realm_id, order_id) where order_id is not null;
select kitlane_protect('bulk_rows', 'select, insert, update, delete');

-- A payment is a row before the gateway is asked, so that whatever a crash leaves can be finished with the same key.
-- requested → charged | authorised | declined;  authorised → captured | released
-- key_number: part of the key that the gateway gets. Another one is used only after the gateway said that it knows no charge of the last.
-- purpose, request: what is done once the gateway's answer is known; blanked then, since it holds recipients.
-- idempotency_key: the caller's, whose answer waits for this one.
create table payments (
  realm_id         integer not null references realms,
  id               text not null,
  state            text not null check (state in ('requested', 'charged', 'authorised', 'declined', 'captured', 'released')),
  purpose          text not null check (purpose in ('orders', 'bulk', 'pending_order')),
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
  primary key (realm_id, id),
  check (captured_minor <= amount_minor),
  check ((state = 'requested') = (request is not null))
);
create index payments_open on payments (checked_at) where state in ('requested', 'authorised');
create index payments_ref on payments (gateway_ref) where gateway_ref is not null;
select kitlane_protect('payments', 'select, insert, update, delete');

-- One refund an order at most: canceled once, refunded once.
create table refunds (
  realm_id      integer not null,
  order_id      text not null,
  payment_id    text not null,
  amount_minor  bigint not null check (amount_minor > 0),
  state         text not null check (state in ('requested', 'done')),
  created_at    timestamptz not null,
  done_at       timestamptz,
  primary key (realm_id, order_id),
  foreign key (realm_id, payment_id) references payments on delete cascade
);
create index refunds_open on refunds (created_at) where state = 'requested';
select kitlane_protect('refunds', 'select, insert, update, delete');

alter table orders add column payment_id text;
create index orders_payment on orders (realm_id, payment_id) where payment_id is not null;

alter table credit_transfers add column job_id text;
create index credit_transfers_job on credit_transfers (realm_id, job_id) where job_id is not null;
drop index credit_transfers_once;
create unique index credit_transfers_once on credit_transfers (realm_id, order_id, kit_type, kind) where kind in ('order', 'capture', 'refund');

-- Live rows of these stay: they are what the money did.
do $$ declare t text; begin
  foreach t in array array['bulk_jobs', 'bulk_rows', 'payments', 'refunds'] loop
    execute format('create policy sandbox_only on %I as restrictive for delete to kitlane_app using ((select mode from realms) = ''sandbox'')', t);
  end loop;
end $$;

-- The simulated gateway's own books, as another company would keep them: no realm, no reference to ours.
create table simulated_charges (
  idempotency_key  text primary key,
  ref              text not null unique,
  amount           bigint not null check (amount > 0),
  currency         text not null,
  captured         bigint not null check (captured between 0 and amount),
  refunded         bigint not null default 0 check (refunded between 0 and captured),
  state            text not null check (state in ('charged', 'authorised', 'declined', 'canceled', 'refunded')),
  decline_code     text,
  method_id        text not null,
  refund_keys      text[] not null default '{}',
  created_at       timestamptz not null
);
grant select, insert, update on simulated_charges to kitlane_system;
