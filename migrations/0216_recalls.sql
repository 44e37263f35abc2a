-- Lots of what kits are made of. minimum_days_at_packing: what a lot must have left. quarantine: why it is set apart.
create table component_lots (
  component                text not null,
  lot                      text not null,
  expires_on               date not null,
  quantity                 integer not null check (quantity > 0),
  minimum_days_at_packing  integer not null check (minimum_days_at_packing between 0 and 3650),
  quarantine               text,
  received_at              timestamptz not null,
  primary key (component, lot)
);
grant insert, update on component_lots to kitlane_system;

-- Lots of kits. product: the GTIN of sealed boxes, or the kit type of kits that are packed by hand. is_loaded: what the stations
-- pack of a kit type now.
create table kit_lots (
  product     text not null,
  lot         text not null,
  is_loaded   boolean not null default false,
  quarantine  text,
  created_at  timestamptz not null,
  primary key (product, lot)
);
create unique index kit_lots_loaded on kit_lots (product) where is_loaded;
grant insert, update on kit_lots to kitlane_system;

create table kit_lot_components (
  product    text not null,
  kit_lot    text not null,
  component  text not null,
  lot        text not null,
  primary key (product, kit_lot, component, lot),
  foreign key (product, kit_lot) references kit_lots,
  foreign key (component, lot) references component_lots
);
create index kit_lot_components_lot on kit_lot_components (component, lot);
grant insert on kit_lot_components to kitlane_system;

-- Kits that were packed by hand. The lot of a sealed box is on the box.
create table packed_lots (
  realm_id  integer not null,
  kit_id    text not null,
  product   text not null,
  lot       text not null,
  primary key (realm_id, kit_id),
  foreign key (realm_id, kit_id) references kits on delete cascade,
  foreign key (product, lot) references kit_lots
);
create index packed_lots_lot on packed_lots (product, lot);
select kitlane_protect('packed_lots', 'select, insert, delete');
-- Against the rule: an index of an existing table is built concurrently, in a separate file, because no release has this table yet.
create index stock_boxes_lot on stock_boxes (gtin, lot);

-- What a laboratory says that a sample was measured with: a run, or a lot of a reagent. subject: the laboratory, or the reagent.
create table measured_lots (
  realm_id     integer not null,
  kit_id       text not null,
  kind         text not null check (kind in ('run', 'reagentLot')),
  subject      text not null,
  lot          text not null,
  results      text[] not null,
  reported_at  timestamptz not null,
  primary key (realm_id, kit_id, kind, subject, lot),
  foreign key (realm_id, kit_id) references kits on delete cascade
);
create index measured_lots_lot on measured_lots (kind, lot);
select kitlane_protect('measured_lots', 'select, insert, update, delete');

-- subject and lot: which lot of what. actions: what is done with each kit.
create table recalls (
  id           text primary key,
  kind         text not null check (kind in ('componentLot', 'kitLot', 'run', 'reagentLot')),
  subject      text not null,
  lot          text not null,
  grade        text,
  reason       text not null,
  actions      text[] not null,
  state        text not null check (state in ('running', 'done', 'closed')),
  created_by   text not null,
  created_at   timestamptz not null,
  finished_at  timestamptz,
  closed_at    timestamptz
);
create unique index recalls_open on recalls (kind, subject, lot) where state <> 'closed';
grant select on recalls to kitlane_app;
grant insert, update on recalls to kitlane_system;

-- The one that sandboxes play.
insert into recalls values ('rcl_sandbox', 'componentLot', 'Lancet', 'SANDBOX', 'II', 'The lancets of this lot may not be sterile',
  '{stopUse,rejectSamples,holdReports,markResults,replace,tell}', 'closed', 'sandbox', now(), null, now());

-- The kits of a recall, and what was done with each. From found_at on a kit is stopped; done_at is null while the rest is due.
-- told_at: when its person was written to.
create table recall_kits (
  recall_id    text not null references recalls on delete cascade,
  realm_id     integer not null,
  kit_id       text not null,
  order_id     text not null,
  live         boolean not null,
  stage        text,
  done         text[] not null default '{}',
  replaced_by  text,
  found_at     timestamptz not null,
  told_at      timestamptz,
  done_at      timestamptz,
  released_at  timestamptz,
  primary key (recall_id, realm_id, kit_id),
  foreign key (realm_id, kit_id) references kits on delete cascade
);
create index recall_kits_kit on recall_kits (realm_id, kit_id);
create index recall_kits_found on recall_kits (realm_id, found_at desc, kit_id);
create index recall_kits_due on recall_kits (recall_id, realm_id, kit_id) where done_at is null;
select kitlane_protect('recall_kits', 'select, insert, update, delete');
