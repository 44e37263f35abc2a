-- Warehouses that pack kits for the operator. definition: which kit types and countries go there, and under which SKU. secret: the key of
-- the account, sealed. tested: what the last test of it found.
create table warehouses (
  id          text primary key,
  provider    text not null check (provider in ('shipstation', 'shipbob')),
  is_active   boolean not null,
  definition  jsonb not null,
  secret      bytea,
  tested      jsonb,
  created_at  timestamptz not null,
  changed_at  timestamptz not null
);
grant select on warehouses to kitlane_app;
grant insert, update on warehouses to kitlane_system;

-- Kits that warehouses pack, one row for each kit. warehouse_id: null where no warehouse packs it, which is looked at again when a warehouse
-- or the address changes. round: of the reference, K…, K…-2, under which the warehouse knows the order. external_id: its own ID.
-- asked_at: when the order was sent there; without an answer it is looked up before it is sent again. is_released: once it is canceled
-- there, it is not handed over again. tries: claims of a worker, never set back. failures: without an answer, in a row. digest: a keyed hash of the address. reason: why a person must look. is_there: not packed elsewhere.
create table warehouse_orders (
  realm_id      integer not null,
  kit_id        text not null,
  order_id      text not null,
  warehouse_id  text references warehouses,
  state         text not null check (state in
                  ('queued', 'sent', 'canceling', 'refused', 'notCanceled', 'notRecorded', 'shipped', 'canceled', 'released')),
  reason        text,
  code          text,
  round         integer not null default 1,
  external_id   text,
  is_released   boolean not null default false,
  digest        bytea,
  carrier       text,
  number        text,
  serial        text,
  lot           text,
  tries         integer not null default 0,
  failures      integer not null default 0,
  asked_at      timestamptz,
  due_at        timestamptz,
  created_at    timestamptz not null,
  changed_at    timestamptz not null,
  is_there      boolean not null check (is_there = (state not in ('shipped', 'canceled', 'released'))),
  primary key (realm_id, kit_id),
  foreign key (realm_id, kit_id) references kits on delete cascade
);
create index warehouse_orders_order on warehouse_orders (realm_id, order_id);
create index warehouse_orders_there on warehouse_orders (realm_id, kit_id) where is_there;
create index warehouse_orders_due on warehouse_orders (due_at) where due_at is not null;
create index warehouse_orders_attention on warehouse_orders (changed_at desc, kit_id) where is_there and reason is not null;
create index warehouse_orders_changed on warehouse_orders (changed_at desc, kit_id) where warehouse_id is not null;
create index warehouse_orders_nobody on warehouse_orders (realm_id, kit_id) where warehouse_id is null;
select kitlane_protect('warehouse_orders', 'select, insert, update, delete');
