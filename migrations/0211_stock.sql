-- Sealed boxes of kits, each with a serial number of its own under the GTIN of its product.
create table stock_products (
  gtin                         text primary key check (gtin ~ '^\d{14}$'),
  kit_type                     text not null,
  -- By the name of a place: below how many boxes in stock somebody orders more.
  reorder_points               jsonb not null default '{}',
  minimum_days_at_packing      integer not null check (minimum_days_at_packing between 0 and 3650),
  register_days_before_expiry  integer not null check (register_days_before_expiry between 0 and 3650),
  changed_at                   timestamptz not null
);
grant insert, update on stock_products to kitlane_system;

-- A box belongs to the operator; realm_id and kit_id are those of the kit that it was packed for. What stands follows from
-- its movements. register_by is what was promised when it was packed: a change of its product does not move it.
create table stock_boxes (
  id           bigint generated always as identity primary key,
  gtin         text not null references stock_products,
  serial       text not null check (length(serial) between 1 and 20),
  lot          text not null,
  expires_on   date not null,
  place        text not null,
  state        text not null check (state in ('inStock', 'bound', 'writtenOff')),
  realm_id     integer,
  kit_id       text,
  register_by  date,
  received_at  timestamptz not null,
  unique (gtin, serial),
  foreign key (realm_id, kit_id) references kits on delete set null,
  check ((realm_id is null) = (kit_id is null)),
  check (kit_id is null or state = 'bound')
);
-- A kit has one box, and a box, being one row, one kit.
create unique index stock_boxes_kit on stock_boxes (realm_id, kit_id) where kit_id is not null;
-- Whoever types a serial number does not know its GTIN.
create index stock_boxes_serial on stock_boxes (upper(serial));
create index stock_boxes_first_expiring on stock_boxes (gtin, place, expires_on) where state = 'inStock';
select kitlane_protect('stock_boxes', 'select');
grant insert, update on stock_boxes to kitlane_system;

-- All that happened to boxes, append-only. kit_id stays after a box was taken off its kit.
create table stock_movements (
  id        bigint generated always as identity primary key,
  box_id    bigint not null references stock_boxes,
  kind      text not null check (kind in ('received', 'transferred', 'countedFound', 'countedMissing', 'adjusted', 'bound', 'unbound')),
  place     text not null,
  reason    text check (reason in ('damaged', 'lost', 'expired', 'found', 'sample', 'other')),
  note      text,
  kit_id    text,
  actor     text not null,
  at        timestamptz not null,
  check ((reason is not null) = (kind = 'adjusted')),
  check ((kit_id is not null) = (kind in ('bound', 'unbound')))
);
create index stock_movements_box on stock_movements (box_id, id);
grant insert on stock_movements to kitlane_system;
