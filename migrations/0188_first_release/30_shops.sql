-- Shops whose orders become orders here, what they sent, and what was made of it.

-- Shops: a business connects its own shop, and what people buy there becomes orders of kits. What the shop said of a buyer is sealed.
create table shops (
  realm_id          integer not null references realms,
  id                text not null,
  kind              text not null check (kind in ('shopify', 'woocommerce')),
  url               text not null,
  enabled           boolean not null,
  -- Null: disconnected. Its orders stay, so that none is placed twice when the shop is connected again.
  secret            bytea,
  old_secret        bytea,
  old_secret_until  timestamptz,
  -- What writes tracking back: null where nothing does.
  access            bytea,
  -- Which products are which kits.
  items             jsonb not null,
  -- Null: all.
  countries         text[],
  notify            boolean not null,
  notify_buyer      boolean not null,
  payment_method    text,
  created_at        timestamptz not null,
  heard_at          timestamptz,
  -- Orders that a shop had before it was connected are placed only where a person asks for them.
  connected_at      timestamptz,
  primary key (realm_id, id)
);
-- A hook knows nothing but the connection.
create unique index shops_id on shops (id);
create unique index shops_url on shops (realm_id, kind, url);
select kitlane_protect('shops', 'select, insert, update, delete');
create policy sandbox_only on shops as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');

-- What a shop sent, until it is worked on; then only its ID, so that it is worked on once.
create table shop_deliveries (
  realm_id     integer not null,
  shop_id      text not null,
  id           text not null,
  topic        text not null,
  sealed       bytea,
  received_at  timestamptz not null,
  primary key (realm_id, shop_id, id),
  foreign key (realm_id, shop_id) references shops on delete cascade
);
create index shop_deliveries_open on shop_deliveries (received_at) where sealed is not null;
create index shop_deliveries_received on shop_deliveries (received_at);
select kitlane_protect('shop_deliveries', 'select, insert, update, delete');
create policy sandbox_only on shop_deliveries as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');

-- An order of a shop. Its key lets it make at most one order here, whatever the shop sends.
create table shop_orders (
  realm_id       integer not null,
  id             text not null,
  shop_id        text not null,
  external_id    text not null,
  number         text not null,
  status         text not null check (status in ('unpaid', 'waiting', 'retrying', 'placing', 'placed', 'canceled', 'skipped', 'failed')),
  reason         text,
  order_id       text,
  -- The card payment under way.
  payment_id     text,
  attempts       integer not null default 0,
  -- When the job acts. Null: never.
  due_at         timestamptz,
  erased         boolean not null default false,
  -- Tracking numbers that the shop was told, and whether more may come.
  told           text[] not null default '{}',
  tell_open      boolean not null default false,
  tell_due_at    timestamptz,
  tell_attempts  integer not null default 0,
  tell_code      text,
  sealed         bytea,
  email_hash     bytea,
  created_at     timestamptz not null,
  changed_at     timestamptz not null,
  requested      boolean not null default false,
  -- The doubts about an order of a shop that a person has decided: it is placed although the shop leaves them open.
  released       text[] not null default '{}',
  primary key (realm_id, id),
  foreign key (realm_id, order_id) references orders on delete set null (order_id),
  foreign key (realm_id, shop_id) references shops on delete cascade
);
create unique index shop_orders_external on shop_orders (realm_id, shop_id, external_id);
create unique index shop_orders_order on shop_orders (realm_id, order_id);
create index shop_orders_listed on shop_orders (realm_id, shop_id, created_at, id);
create index shop_orders_due on shop_orders (due_at) where due_at is not null;
create index shop_orders_tell on shop_orders (realm_id, order_id) where tell_open;
create index shop_orders_email on shop_orders (realm_id, email_hash);
create index shop_orders_waiting on shop_orders (realm_id, shop_id)
  where status in ('waiting', 'failed');
select kitlane_protect('shop_orders', 'select, insert, update, delete');
create policy sandbox_only on shop_orders as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');
