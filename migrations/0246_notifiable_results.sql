-- What the operator says of results that health authorities want told: rules (which result, how answered, where), the authorities and how
-- they are reached, and who sends. A rule is active only if somebody signed it.
create table notifiable_settings (
  id          text primary key,
  kind        text not null check (kind in ('rule', 'authority', 'sender')),
  definition  jsonb not null,
  changed_at  timestamptz not null,
  check (kind <> 'rule' or definition ->> 'isActive' = 'false' or definition ->> 'signedBy' is not null)
);
grant select on notifiable_settings to kitlane_app;
grant insert, update on notifiable_settings to kitlane_system;

-- A result of a live report that an authority wants told: one row for each result and authority. authority_id: empty while none is known.
-- report_id: empty where its kit has no report yet. reason: why it waits, was refused or is not told. due_at: when it is sent next. is_open: a message waits for its answer.
-- sealed: the result, what the authority was told of it and when, the message until it is answered, and what people said.
create table notices (
  realm_id      integer not null,
  id            text not null,
  report_id     text,
  kit_id        text,
  customer_id   bigint not null,
  authority_id  text not null,
  state         text not null check (state in ('waiting', 'due', 'sent', 'accepted', 'refused', 'byHand', 'notTold')),
  reason        text,
  is_open       boolean not null,
  deadline_at   timestamptz not null,
  due_at        timestamptz,
  changed_at    timestamptz not null,
  sealed        bytea not null,
  primary key (realm_id, id),
  foreign key (realm_id, customer_id) references customers on delete cascade
);
create index notices_report on notices (realm_id, report_id);
create index notices_kit on notices (realm_id, kit_id) where kit_id is not null;
create index notices_customer on notices (realm_id, customer_id);
create index notices_queue on notices (deadline_at, id) where state in ('waiting', 'due', 'refused');
create index notices_due on notices (due_at) where due_at is not null;
select kitlane_protect('notices', 'select, insert, update, delete');
