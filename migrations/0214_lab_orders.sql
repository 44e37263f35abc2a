-- How laboratories get orders. definition: how they are reached, where the people live whom they test, and what each kit type is
-- called there. secret: the header that they want, sealed.
create table lab_connections (
  laboratory_id  text primary key references laboratories on delete cascade,
  is_active      boolean not null,
  priority       integer not null,
  definition     jsonb not null,
  secret         bytea,
  created_at     timestamptz not null,
  changed_at     timestamptz not null
);
grant select on lab_connections to kitlane_app;
grant insert, update on lab_connections to kitlane_system;

-- The order of a kit to a laboratory: one row for a kit. pending: what is said next. round: grows when a kit is ordered anew after
-- its order was canceled, and with it the number that the laboratory knows it by. revision: messages that were made.
-- reason: why somebody must look. sealed: what the laboratory said, in its words.
create table lab_orders (
  realm_id       integer not null,
  kit_id         text not null,
  order_id       text not null,
  live           boolean not null,
  laboratory_id  text,
  state          text not null check (state in ('unrouted', 'queued', 'sent', 'accepted', 'refused', 'canceled', 'completed', 'closed')),
  reason         text,
  pending        text check (pending in ('new', 'change', 'cancel')),
  round          integer not null default 1,
  revision       integer not null default 0,
  digest         bytea,
  filler_number  text,
  tries          integer not null default 0,
  routed_on      date,
  due_at         timestamptz,
  created_at     timestamptz not null,
  changed_at     timestamptz not null,
  sealed         bytea,
  primary key (realm_id, kit_id),
  foreign key (realm_id, kit_id) references kits on delete cascade
);
-- The operator's queue goes over all businesses.
create index lab_orders_state on lab_orders (state, changed_at desc, realm_id, kit_id) where live;
create index lab_orders_attention on lab_orders (changed_at desc, realm_id, kit_id) where live and reason is not null;
create index lab_orders_due on lab_orders (due_at) where due_at is not null;
-- How many a laboratory was given on a day.
create index lab_orders_routed on lab_orders (laboratory_id, routed_on) where routed_on is not null;
select kitlane_protect('lab_orders', 'select, insert, update, delete');

-- What was said to laboratories. At most one message of an order waits for its answer: it is sent again, the same bytes, until then.
-- sealed: the message until it is answered, and the answer.
create table lab_order_messages (
  realm_id       integer not null,
  kit_id         text not null,
  control_id     text not null,
  action         text not null check (action in ('new', 'change', 'cancel')),
  laboratory_id  text not null,
  tries          integer not null default 0,
  made_at        timestamptz not null,
  sent_at        timestamptz,
  answered_at    timestamptz,
  outcome        text check (outcome in ('accepted', 'refused', 'received')),
  code           text,
  sealed         bytea,
  primary key (realm_id, kit_id, control_id),
  foreign key (realm_id, kit_id) references lab_orders on delete cascade
);
create unique index lab_order_messages_open on lab_order_messages (realm_id, kit_id) where outcome is null;
-- A laboratory that answers later names the message.
create unique index lab_order_messages_control on lab_order_messages (control_id);
select kitlane_protect('lab_order_messages', 'select, insert, update, delete');
