-- Reports. Each result keeps what it was judged by (ranges, labels, scores), so that a later change of the catalogue
-- never changes an old report.

-- Reports. Each result keeps what it was judged by (ranges, labels, scores), so that a later change of the catalogue
-- never changes an old report.
create table reports (
  realm_id        integer not null references realms,
  id              text not null,
  customer_id     bigint not null,
  kit_id          text,
  status          text not null check (status in ('inReview', 'published', 'rejected')),
  vendor_status   text not null check (vendor_status in ('partial', 'final', 'corrected')),
  version         integer not null,
  collected_date  date,
  resulted_date   date,
  published_at    timestamptz,
  created_at      timestamptz not null,
  -- A report may come from data that a business added, not only from a kit.
  data_id         text,
  collected_at    text,
  resulted_at     text,
  -- Whether a person has to look at it before others: only while it waits for one.
  is_critical     boolean,
  -- The list of reports says what changed since a time, as the other lists do. Null: not changed since it was made.
  updated_at      timestamptz,
  sealed_note     bytea,
  primary key (realm_id, id),
  unique (realm_id, kit_id),
  foreign key (realm_id, customer_id) references customers,
  foreign key (realm_id, kit_id) references kits on delete cascade
);
create index reports_customer on reports (realm_id, customer_id);
create index reports_data on reports (realm_id, data_id) where data_id is not null;
create index reports_listed on reports (realm_id, created_at);
create index reports_by_status on reports (realm_id, status, created_at);
create index reports_updated on reports (realm_id, updated_at) where updated_at is not null;
create index reports_created on reports (realm_id, created_at);
select kitlane_protect('reports', 'select, insert, update');
grant delete on reports to kitlane_app;

create table report_versions (
  realm_id        integer not null,
  report_id       text not null,
  version         integer not null,
  score_version   text not null,
  axes            jsonb,
  suggestions     jsonb,
  lab_errors      jsonb,
  reason          text,
  created_at      timestamptz not null,
  -- A version shows the dates it was made with. What is there already gets those of its report.
  collected_date  date,
  resulted_date   date,
  collected_at    text,
  resulted_at     text,
  withdrawn       jsonb,
  -- A version of a report holds all its results in one value, and in a second, small one what lists and histories read.
  sealed          bytea,
  sealed_summary  bytea,
  primary key (realm_id, report_id, version),
  foreign key (realm_id, report_id) references reports on delete cascade,
  constraint report_versions_sealed check (sealed is null or num_nonnulls(axes, suggestions, lab_errors, reason, withdrawn) = 0)
) with (toast_tuple_target = 4080);
alter table report_versions alter column sealed set storage external;
alter table report_versions alter column sealed_summary set storage external;
select kitlane_protect('report_versions', 'select, insert');
grant delete on report_versions to kitlane_app;
grant update (axes, suggestions, lab_errors, reason, withdrawn, sealed, sealed_summary) on report_versions to kitlane_system;

-- judged: the biomarker entry as served, without its history.
create table report_results (
  realm_id      integer not null,
  report_id     text not null,
  version       integer not null,
  biomarker_id  text not null,
  position    integer not null,
  value         double precision,
  judged        jsonb not null,
  primary key (realm_id, report_id, version, biomarker_id),
  foreign key (realm_id, report_id, version) references report_versions on delete cascade
);
select kitlane_protect('report_results', 'select, insert, delete');

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
  key            text,
  name           text,
  value          text,
  unit           text,
  range          text,
  flag           text,
  loinc          text,
  position     text,
  code           text not null,
  reason         text,
  suggestions    text[],
  is_critical    boolean not null,
  received_at    timestamptz not null,
  closed_at      timestamptz,
  closed_by      text,
  note           text,
  -- `key_hash`: what comes again under a name is found by it.
  sealed         bytea,
  key_hash       bytea,
  outcome        text,
  received_id    text,
  primary key (realm_id, id),
  foreign key (realm_id, customer_id) references customers on delete cascade,
  foreign key (realm_id, kit_id) references kits on delete cascade,
  foreign key (realm_id, report_id) references reports on delete cascade,
  constraint unassessed_results_sealed check (sealed is null or num_nonnulls(key, name, value, unit, range, flag, loinc, position, reason, suggestions, note) = 0)
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
create index unassessed_results_received on unassessed_results (realm_id, received_id) where received_id is not null;
select kitlane_protect('unassessed_results', 'select, insert, update, delete');

-- Critical results: values with which somebody may need help today. Each waits until somebody of the on-call list has acknowledged it
-- by reading its value back; until then its report is not published. A job tells the list, one after the other.
create table critical_results (
  realm_id         integer not null,
  id               text not null,
  -- The kit, or without one the report or the data that it came with: what came together is told together.
  subject          text not null,
  customer_id      bigint not null,
  kit_id           text,
  data_id          text,
  report_id        text,
  raised_at        timestamptz not null,
  -- When the first of the list should have acknowledged it.
  deadline_at      timestamptz not null,
  -- When the next of the list is told; null once nobody has to be told any more.
  due_at           timestamptz,
  -- How many have been told.
  step             integer not null default 0,
  acknowledged_at  timestamptz,
  acknowledged_by  text,
  -- The laboratory took it back, or corrected it, before anybody acknowledged it.
  withdrawn_at     timestamptz,
  sealed           bytea not null,
  primary key (realm_id, id),
  foreign key (realm_id, customer_id) references customers on delete cascade,
  foreign key (realm_id, kit_id) references kits on delete cascade,
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
  realm_id    integer not null references realms,
  position  integer not null,
  minutes     integer not null check (minutes between 5 and 1440),
  sealed      bytea not null,
  primary key (realm_id, position)
);
select kitlane_protect('on_call_contacts', 'select, insert, update, delete');

-- The laboratories that the operator works with: what a report must say of the laboratory where a message does not.
create table laboratories (
  id          text primary key,
  name        text not null,
  -- How messages call it besides, in plain letters; the name itself is among them.
  names       text[] not null,
  address     text not null,
  clia        text,
  director    text,
  time_zone   text,
  -- Results for kits that name no laboratory are this one's.
  is_default  boolean not null default false
);
create unique index laboratories_default on laboratories (is_default) where is_default;
grant select on laboratories to kitlane_app;
grant insert, update, delete on laboratories to kitlane_system;

-- Reviewers hold a report back until a day, with a reason, and leave notes for each other. A hold ends by being released or by itself;
-- while it lasts, nothing publishes the report. Notes are only added to. Neither is shown to the person or the business.
create table report_holds (
  realm_id     integer not null,
  id           text not null,
  report_id    text not null,
  held_at      timestamptz not null,
  held_by      text not null,
  until_at     timestamptz not null,
  released_at  timestamptz,
  released_by  text,
  sealed       bytea not null,
  primary key (realm_id, id),
  foreign key (realm_id, report_id) references reports on delete cascade
);
create index report_holds_report on report_holds (realm_id, report_id);
select kitlane_protect('report_holds', 'select, insert, update');

create table report_comments (
  realm_id   integer not null,
  id         text not null,
  report_id  text not null,
  at         timestamptz not null,
  by         text not null,
  sealed     bytea not null,
  primary key (realm_id, id),
  foreign key (realm_id, report_id) references reports on delete cascade
);
create index report_comments_report on report_comments (realm_id, report_id, at);
select kitlane_protect('report_comments', 'select, insert');
grant update (sealed) on report_comments to kitlane_system;

-- The record of a customer names their reports.
create function date_reports() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('kitlane.sealing', true), '') <> 'on' then
    update customers set updated_at = now()
    where (realm_id, id) = (coalesce(new.realm_id, old.realm_id), coalesce(new.customer_id, old.customer_id));
  end if;
  return null;
end $$;

create function refuse_unread_results() returns trigger language plpgsql as $$
begin
  if exists (select from report_versions v
    where v.realm_id = new.realm_id and v.report_id = new.report_id and v.sealed is not null) then
    raise exception 'This process is too old to read the earlier versions of report %', new.report_id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  return new;
end $$;

-- When the job has sealed a version, its results are in there.
create function results_sealed() returns trigger language plpgsql as $$
begin
  update reports r set is_critical = true
  where r.realm_id = new.realm_id and r.id = new.report_id and r.version = new.version and r.status = 'inReview'
    and exists (select from report_results x
      where x.realm_id = new.realm_id and x.report_id = new.report_id and x.version = new.version
        and x.judged->>'interpretation' in ('LL', 'HH', 'AA'));
  delete from report_results x
  where x.realm_id = new.realm_id and x.report_id = new.report_id and x.version = new.version;
  return null;
end $$;

create function tally_reports() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'report', status, count(*) from added group by 1, 3
    union all select realm_id, 'report.day', (published_at at time zone 'UTC')::date::text, count(*) from added
    where published_at is not null group by 1, 3
    union all select realm_id, 'kit.changed', kit_id, 1 from added where kit_id is not null;
  elsif tg_op = 'DELETE' then
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'report', status, -count(*) from removed group by 1, 3
    union all select realm_id, 'report.day', (published_at at time zone 'UTC')::date::text, -count(*) from removed
    where published_at is not null group by 1, 3
    union all select realm_id, 'kit.changed', kit_id, 1 from removed where kit_id is not null;
  else
    insert into tallies (realm_id, name, key, amount)
    select realm_id, name, key, sum(n) from (
      select realm_id, 'report' as name, status as key, 1 as n from added
      union all select realm_id, 'report', status, -1 from removed
      union all select realm_id, 'report.day', (published_at at time zone 'UTC')::date::text, 1 from added where published_at is not null
      union all select realm_id, 'report.day', (published_at at time zone 'UTC')::date::text, -1 from removed where published_at is not null) changes
    group by 1, 2, 3 having sum(n) <> 0
    union all
    select realm_id, 'kit.changed', kit_id, 1 from added where kit_id is not null
    union all
    select realm_id, 'kit.changed', kit_id, 1 from removed where kit_id is not null;
  end if;
  return null;
end $$;

create trigger reports_date_change after insert or update or delete on reports for each row execute function date_reports();
create trigger reports_date_own_change before update on reports for each row execute function date_change();
create trigger tally_added after insert on reports referencing new table as added for each statement execute function tally_reports();
create trigger tally_changed after update on reports referencing old table as removed new table as added for each statement execute function tally_reports();
create trigger tally_removed after delete on reports referencing old table as removed for each statement execute function tally_reports();
create trigger refuse_unread_results before insert on report_versions for each row
  when (new.sealed is null) execute function refuse_unread_results();
create trigger results_sealed after update of sealed on report_versions for each row
  when (old.sealed is null and new.sealed is not null) execute function results_sealed();
