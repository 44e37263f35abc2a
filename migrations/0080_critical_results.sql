-- Critical results: values with which somebody may need help today. Each waits until somebody of the on-call list has acknowledged it
-- by reading its value back; until then its report is not published. A job tells the list, one after the other.
create table critical_results (
  realm_id        integer not null,
  id              text not null,
  -- The kit, or without one the report or the data that it came with: what came together is told together.
  subject         text not null,
  customer_id     bigint not null,
  kit_id          text,
  data_id         text,
  report_id       text,
  raised_at       timestamptz not null,
  -- When the first of the list should have acknowledged it.
  deadline_at     timestamptz not null,
  -- When the next of the list is told; null once nobody has to be told any more.
  due_at          timestamptz,
  -- How many have been told.
  step            integer not null default 0,
  acknowledged_at timestamptz,
  acknowledged_by text,
  -- The laboratory took it back, or corrected it, before anybody acknowledged it.
  withdrawn_at    timestamptz,
  sealed          bytea not null,
  primary key (realm_id, id),
  foreign key (realm_id, customer_id) references customers on delete cascade,
  foreign key (realm_id, kit_id) references kits on delete cascade,
  foreign key (realm_id, data_id) references customer_data on delete cascade,
  foreign key (realm_id, report_id) references reports on delete cascade
);
create index critical_results_due on critical_results (due_at) where due_at is not null;
create index critical_results_open on critical_results (raised_at, id) where acknowledged_at is null and withdrawn_at is null;
create index critical_results_raised on critical_results (realm_id, raised_at, id);
create index critical_results_subject on critical_results (realm_id, subject);
create index critical_results_customer on critical_results (realm_id, customer_id);
create index critical_results_kit on critical_results (realm_id, kit_id);
create index critical_results_data on critical_results (realm_id, data_id);
create index critical_results_report on critical_results (realm_id, report_id);
-- Staff of the operator name one without its realm.
create unique index critical_results_id on critical_results (id);
select kitlane_protect('critical_results', 'select, insert, update, delete');

-- Who is told of a critical result, in order. The last is told again until somebody acknowledges it.
create table on_call_contacts (
  realm_id  integer not null references realms,
  position  integer not null,
  -- How long the contact has before the next one is told.
  minutes   integer not null check (minutes between 5 and 1440),
  sealed    bytea not null,
  primary key (realm_id, position)
);
select kitlane_protect('on_call_contacts', 'select, insert, update, delete');

-- Whether a report that only waited for acknowledgements is published with the last one, where reports are published at once.
alter table realms add column publish_acknowledged boolean not null default false;
grant update (publish_acknowledged) on realms to kitlane_app;
