-- The people tested, what was ordered for whom, and where each kit is.
create table customers (
  realm_id       integer not null references realms,
  id             bigint not null,
  seq            bigint not null,
  external_id    text,
  email          text,
  name           text,
  first_name     text,
  last_name      text,
  date_of_birth  date,
  gender         text check (gender in ('M', 'F', 'X')),
  phone          text,
  address        jsonb,
  race           text,
  research       boolean not null default false,
  custom_tags    text[] not null default '{}',
  created_at     timestamptz not null,
  erased_at      timestamptz,
  primary key (realm_id, id),
  check (erased_at is not null or (email is not null and name is not null))
);
create unique index customers_email on customers (realm_id, lower(email));
create unique index customers_external_id on customers (realm_id, external_id);
create unique index customers_seq on customers (realm_id, seq);
select kitlane_protect('customers', 'select, insert, update');

create table orders (
  realm_id        integer not null references realms,
  id              text not null,
  seq             bigint not null,
  status          text not null check (status in ('created', 'pending', 'canceled')),
  sku             text not null,
  quantity        integer not null check (quantity > 0),
  first_name      text,
  last_name       text,
  email           text,
  phone           text,
  address         jsonb,
  external_id     text,
  external_tags   text[] not null default '{}',
  notify          boolean not null,
  payment_method  text not null check (payment_method in ('credits', 'card', 'none')),
  payment_status  text not null check (payment_status in ('paid', 'pending', 'refunded', 'canceled')),
  amount_minor    bigint,
  currency        text,
  created_at      timestamptz not null,
  primary key (realm_id, id)
);
create unique index orders_seq on orders (realm_id, seq);
create index orders_created on orders (realm_id, created_at);
create index orders_external_id on orders (realm_id, external_id) where external_id is not null;
create index orders_email on orders (realm_id, lower(email)) where email is not null;
create index orders_status on orders (realm_id, status, seq);
select kitlane_protect('orders', 'select, insert, update');

create table order_items (
  realm_id  integer not null,
  order_id  text not null,
  kit_type  text not null references panels,
  quantity  integer not null check (quantity > 0),
  primary key (realm_id, order_id, kit_type),
  foreign key (realm_id, order_id) references orders on delete cascade
);
create index order_items_kit_type on order_items (realm_id, kit_type);
select kitlane_protect('order_items', 'select, insert');

-- progress: lifetime status → time. registration: what the person gave with this kit.
create table kits (
  realm_id          integer not null references realms,
  id                text not null,
  seq               bigint not null,
  order_id          text not null,
  kit_type          text not null references panels,
  kit_status        text not null,
  sample_status     text not null,
  report_status     text not null,
  exception_reason  text,
  progress          jsonb not null,
  shipment          jsonb not null default '{}',
  event_sequence    integer not null default 0,
  customer_id       bigint,
  registered_email  text,
  registered_at     timestamptz,
  registration      jsonb,
  replacement_for   text,
  replaced_by       text,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, order_id) references orders on delete cascade,
  foreign key (realm_id, customer_id) references customers
);
-- A kit ID is printed on the box; whoever scans it does not know the business, so it is unique over all realms.
create unique index kits_id on kits (id);
create unique index kits_seq on kits (realm_id, seq);
create index kits_order on kits (realm_id, order_id);
create index kits_customer on kits (realm_id, customer_id) where customer_id is not null;
create index kits_kit_status on kits (realm_id, kit_status, seq);
create index kits_sample_status on kits (realm_id, sample_status, seq);
create index kits_registered on kits (realm_id, registered_at) where registered_at is not null;
create index kits_registered_email on kits (realm_id, lower(registered_email)) where registered_email is not null;
select kitlane_protect('kits', 'select, insert, update');

create table consents (
  realm_id         integer not null,
  id               bigint generated always as identity,
  kit_id           text not null,
  first_name       text,
  last_name        text,
  email            text,
  consent_version  text not null,
  research         boolean not null,
  ip               text,
  at               timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, kit_id) references kits on delete cascade
);
create index consents_kit on consents (realm_id, kit_id);
create index consents_email on consents (realm_id, lower(email)) where email is not null;
select kitlane_protect('consents', 'select, insert, update');
