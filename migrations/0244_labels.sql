-- The operator's accounts at services that sell shipping labels, at most one of them in use. definition: who sends, in which box, and
-- what is bought. secret: its key, sealed. tested: what the last test of it found.
create table label_accounts (
  provider    text primary key check (provider in ('easypost', 'shippo')),
  is_active   boolean not null,
  definition  jsonb not null,
  secret      bytea,
  tested      jsonb,
  created_at  timestamptz not null,
  changed_at  timestamptz not null
);
create unique index label_accounts_active on label_accounts (is_active) where is_active;
grant select on label_accounts to kitlane_app;
grant insert, update on label_accounts to kitlane_system;

-- Shipping labels of kits. shipment_ref, rate_ref: what the service offered, kept before anything is bought. asked_at: when the purchase
-- was sent; without an answer the service is asked for the label of this offer before anything is bought again. is_withdrawn: nobody
-- wants it any more, and whether it was bought is not known yet. digest: a keyed hash of the address. reason: why it is not as it should
-- be, of which code is the service's word. document, sealed: always empty; the label itself is a file of the store.
create table shipping_labels (
  realm_id      integer not null,
  id            text not null,
  kit_id        text not null,
  order_id      text not null,
  live          boolean not null,
  leg           text not null check (leg in ('toUser', 'toLab')),
  state         text not null check (state in
                  ('queued', 'bought', 'used', 'refused', 'voiding', 'voided', 'voidRefused', 'withdrawn', 'closed')),
  provider      text not null,
  shipment_ref  text,
  rate_ref      text,
  label_ref     text,
  carrier       text,
  service       text,
  number        text,
  amount_minor  integer,
  currency      text,
  reason        text,
  code          text,
  is_withdrawn  boolean not null default false,
  digest        bytea,
  tries         integer not null default 0,
  asked_at      timestamptz,
  due_at        timestamptz,
  bought_at     timestamptz,
  created_at    timestamptz not null,
  changed_at    timestamptz not null,
  media_type    text,
  document      bytea,
  sealed        bytea,
  file          text,
  primary key (realm_id, id),
  foreign key (realm_id, kit_id) references kits on delete cascade,
  constraint shipping_labels_file foreign key (realm_id, file) references files,
  constraint shipping_labels_stored check (file is null or (document is null and sealed is null))
);
-- A kit has one label of each leg that may still be used.
create unique index shipping_labels_one on shipping_labels (realm_id, kit_id, leg) where state in ('queued', 'bought') and not is_withdrawn;
create unique index shipping_labels_id on shipping_labels (id);
create index shipping_labels_kit on shipping_labels (realm_id, kit_id);
create index shipping_labels_order on shipping_labels (realm_id, order_id);
create index shipping_labels_due on shipping_labels (due_at) where due_at is not null;
create index shipping_labels_attention on shipping_labels (changed_at desc, id) where live and state in ('refused', 'voidRefused');
create index shipping_labels_bought on shipping_labels (bought_at, id) where live and bought_at is not null;
create index shipping_labels_files on shipping_labels (bought_at) where file is not null;
select kitlane_protect('shipping_labels', 'select, insert, update, delete');
create trigger shipping_labels_deleted after delete on shipping_labels
  for each row when (old.file is not null) execute function kitlane_drop_file();
create trigger shipping_labels_refiled after update of file on shipping_labels
  for each row when (old.file is distinct from new.file and old.file is not null) execute function kitlane_drop_file();
