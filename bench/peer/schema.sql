-- THE FROZEN PEER of order intake: the order system that a good engineer writes by hand in an afternoon. Kitlane's rate is
-- published as a multiple of this one's.
--
-- Do not change this folder. It does not grow when Kitlane's schema grows, and it is never adapted to suit a result, in
-- either direction: whoever changes it makes all published ratios meaningless.
--
-- An order inserts ten rows (order, item, kit, two steps of progress, two ledger entries, event, audit entry, idempotency
-- key) and updates the balance that pays, in one transaction. Primary and foreign keys, two indexes for lists and one for
-- the kits of an order. No triggers, no row-level security, no search.

create table balances (
  realm int,
  kit_type text,
  balance bigint not null check (balance >= 0),
  primary key (realm, kit_type)
);

create table ledger_entries (
  realm int,
  id bigint generated always as identity,
  order_id text not null,
  kit_type text not null,
  account text not null,
  amount bigint not null,
  at timestamptz not null default now(),
  primary key (realm, id)
);

create table orders (
  realm int,
  id text,
  seq bigint generated always as identity,
  created_at timestamptz not null default now(),
  email text not null,
  recipient jsonb not null,
  status text not null,
  primary key (realm, id)
);
create index on orders (realm, seq desc);
create index on orders (realm, email);

create table items (
  realm int,
  order_id text,
  kit_type text,
  quantity int,
  primary key (realm, order_id, kit_type),
  foreign key (realm, order_id) references orders (realm, id)
);

create table kits (
  realm int,
  id text,
  order_id text not null,
  kit_type text not null,
  kit_status text not null,
  sample_status text not null,
  updated_at timestamptz not null default now(),
  primary key (realm, id),
  foreign key (realm, order_id) references orders (realm, id)
);
create index on kits (realm, order_id);

create table progress (
  realm int,
  kit_id text,
  type text,
  at timestamptz not null default now(),
  primary key (realm, kit_id, type),
  foreign key (realm, kit_id) references kits (realm, id)
);

create table events (
  realm int,
  id bigint generated always as identity,
  type text not null,
  data jsonb not null,
  at timestamptz default now(),
  primary key (realm, id)
);

create table idempotency_keys (
  realm int,
  key text,
  fingerprint text,
  status int,
  body jsonb,
  at timestamptz default now(),
  primary key (realm, key)
);

create table audit_entries (
  realm int,
  id bigint generated always as identity,
  actor text,
  action text,
  object text,
  at timestamptz default now(),
  primary key (realm, id)
);

insert into balances select realm, 'A', 100000000 from generate_series(1, 50) realm;
