-- Recurring plans: a business says once who gets which kits and how often, and a job places each order when its date comes.

-- Recurring plans: a business says once who gets which kits and how often, and a job places each order when its date comes. The
-- recipient is sealed as that of an order. An occurrence is one date of a plan; its key lets a date make at most one order.
create table plans (
  realm_id        integer not null references realms,
  id              text not null,
  status          text not null check (status in ('active', 'paused', 'ended')),
  ended_by        text check (ended_by in ('completed', 'stopped', 'erased')),
  every_unit      text not null check (every_unit in ('weeks', 'months')),
  every_count     integer not null check (every_count between 1 and 260),
  -- The date that others are counted from, and which of them is next: 0 is the date itself.
  counted_from    date not null,
  next_index      integer not null check (next_index >= 0),
  -- How many orders it makes at most, and has made.
  times           integer check (times between 1 and 1000),
  placed          integer not null default 0,
  -- When the job acts: the order is due, or is tried again. Null: never.
  due_at          timestamptz,
  -- The card payment under way for the next order.
  payment_id      text,
  -- How far the clock of the sandbox was advanced since the plan was made: its calendar is ahead by so much.
  passed_ms       bigint not null default 0 check (passed_ms >= 0),
  items           jsonb not null,
  notify          boolean not null,
  payment_method  text,
  payment_flag    boolean,
  external_id     text,
  external_tags   text[] not null,
  sealed          bytea,
  email_hash      bytea,
  created_at      timestamptz not null,
  primary key (realm_id, id),
  check ((status = 'ended') = (ended_by is not null))
);
create index plans_due on plans (due_at) where due_at is not null;
create index plans_listed on plans (realm_id, created_at, id);
create index plans_email on plans (realm_id, email_hash);
create index plans_external on plans (realm_id, external_id);
select kitlane_protect('plans', 'select, insert, update, delete');
create policy sandbox_only on plans as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');

create table plan_occurrences (
  realm_id  integer not null,
  plan_id   text not null,
  date      date not null,
  status    text not null check (status in ('placing', 'placed', 'failed', 'skipped')),
  order_id  text,
  -- Why it could not be placed, the last time.
  code      text,
  -- Why it was skipped.
  reason    text check (reason in ('requested', 'missed', 'paused', 'failed')),
  attempts  integer not null default 0,
  at        timestamptz not null,
  primary key (realm_id, plan_id, date),
  foreign key (realm_id, order_id) references orders on delete set null (order_id),
  foreign key (realm_id, plan_id) references plans on delete cascade,
  check ((status = 'skipped') = (reason is not null))
);
create index plan_occurrences_order on plan_occurrences (realm_id, order_id);
select kitlane_protect('plan_occurrences', 'select, insert, update, delete');
create policy sandbox_only on plan_occurrences as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');
