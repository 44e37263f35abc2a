-- What was received for a person and not judged: an unknown name, a word for a result, a row that could not be read. Each is
-- kept as it came, with the reason, and waits until a person has dealt with it; a critical one holds the report that it came with.
create table unassessed_results (
  realm_id       integer not null,
  id             text not null,
  customer_id    bigint not null,
  kit_id         text,
  data_id        text,
  report_id      text,
  -- The versions of the report that say it; the last one is set once a later message names it again.
  first_version  integer,
  last_version   integer,
  place          integer not null,
  -- Its name in plain letters: what comes again under it takes its place.
  key            text not null,
  name           text not null,
  value          text not null,
  unit           text not null,
  range          text not null,
  flag           text not null,
  loinc          text,
  position       text not null,
  code           text not null,
  reason         text not null,
  suggestions    text[] not null default '{}',
  is_critical    boolean not null,
  received_at    timestamptz not null,
  closed_at      timestamptz,
  closed_by      text,
  note           text,
  primary key (realm_id, id),
  foreign key (realm_id, customer_id) references customers on delete cascade,
  foreign key (realm_id, kit_id) references kits on delete cascade,
  foreign key (realm_id, data_id) references customer_data on delete cascade,
  foreign key (realm_id, report_id) references reports on delete cascade
);
-- Those that wait, critical ones first: over all realms for the operator, and in one.
create index unassessed_results_open on unassessed_results (is_critical desc, received_at, place, id) where closed_at is null;
create index unassessed_results_realm on unassessed_results (realm_id, is_critical desc, received_at, place, id) where closed_at is null;
create index unassessed_results_report on unassessed_results (realm_id, report_id);
create index unassessed_results_kit on unassessed_results (realm_id, kit_id);
create index unassessed_results_data on unassessed_results (realm_id, data_id);
create index unassessed_results_customer on unassessed_results (realm_id, customer_id);
-- Staff of the operator name one without its realm.
create unique index unassessed_results_id on unassessed_results (id);
select kitlane_protect('unassessed_results', 'select, insert, update, delete');

-- Files of which nothing could be matched wait for a person, too: a reason more than before.
alter table upload_reviews drop constraint upload_reviews_needs_review_check;
alter table upload_reviews add constraint upload_reviews_needs_review_check
  check (needs_review in ('scan', 'image', 'layout', 'person', 'unmatched'));
