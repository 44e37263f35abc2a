-- How long records are kept, what must not be deleted meanwhile, and what people asked for.

-- In days. Null: the operator's default (the row without a business), or else that of the program. `by_age`: records of
-- people who were not erased end as well.
create table retention_terms (
  business_id          text unique nulls not distinct references businesses,
  laboratory_days      integer check (laboratory_days between 0 and 36500),
  requisition_days     integer check (requisition_days between 0 and 36500),
  correspondence_days  integer check (correspondence_days between 0 and 36500),
  by_age               boolean
);
grant select on retention_terms to kitlane_app;
grant insert, update on retention_terms to kitlane_system;

-- customer_id null: of the whole business. No foreign key: a hold may be on a person who was erased.
create table legal_holds (
  realm_id     integer not null references realms,
  id           text not null,
  customer_id  bigint,
  reason       text not null,
  set_by       text not null,
  set_at       timestamptz not null,
  lift_reason  text,
  lifted_by    text,
  lifted_at    timestamptz,
  primary key (realm_id, id),
  check (num_nulls(lift_reason, lifted_by, lifted_at) in (0, 3))
);
create unique index legal_holds_open on legal_holds (realm_id, coalesce(customer_id, 0)) where lifted_at is null;
select kitlane_protect('legal_holds', 'select');
grant insert, update on legal_holds to kitlane_system;

-- What is kept of people who were erased. The program may write it while it serves businesses, and never read it.
-- recorded_at: from when the term counts. kind 'other' needs no keeping, and is here only while a hold stands.
create table kept_records (
  realm_id     integer not null references realms,
  id           text not null,
  customer_id  bigint not null,
  kind         text not null check (kind in ('laboratory', 'requisition', 'other')),
  source       text not null,
  recorded_at  timestamptz not null,
  kept_at      timestamptz not null,
  sealed       bytea not null,
  primary key (realm_id, id)
);
alter table kept_records alter column sealed set storage external;
create index kept_records_due on kept_records (realm_id, kind, recorded_at);
create index kept_records_customer on kept_records (realm_id, customer_id);
select kitlane_protect('kept_records', 'insert');
grant update, delete on kept_records to kitlane_system;

-- What each run of the job found. `counts` holds numbers only.
create table retention_runs (
  id           text primary key,
  run_by       text not null,
  started_at   timestamptz not null,
  finished_at  timestamptz,
  counts       jsonb not null
);
create index retention_runs_started on retention_runs (started_at desc);
grant insert, update on retention_runs to kitlane_system;

-- People ask on their own pages for a copy of their data, or for its erasure. The business answers each request, by the export and
-- the erasure that exist. One request of a kind is open at a time. The erasure of the person deletes their requests.
create table data_requests (
  realm_id      integer not null,
  id            text not null,
  customer_id   bigint not null,
  kind          text not null check (kind in ('copy', 'erasure')),
  requested_at  timestamptz not null,
  status        text not null default 'open' check (status in ('open', 'granted', 'refused')),
  closed_at     timestamptz,
  closed_by     text,
  -- Why it was refused, in the words that the person reads.
  sealed        bytea not null,
  primary key (realm_id, id),
  foreign key (realm_id, customer_id) references customers on delete cascade,
  check ((status = 'open') = (closed_at is null)),
  check ((status = 'open') = (closed_by is null))
);
create unique index data_requests_open on data_requests (realm_id, customer_id, kind) where status = 'open';
create index data_requests_customer on data_requests (realm_id, customer_id, requested_at);
create index data_requests_status on data_requests (realm_id, status, requested_at);
select kitlane_protect('data_requests', 'select, insert, update, delete');
