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
  primary key (realm_id, id),
  unique (realm_id, kit_id),
  foreign key (realm_id, customer_id) references customers,
  foreign key (realm_id, kit_id) references kits on delete cascade
);
create index reports_customer on reports (realm_id, customer_id);
select kitlane_protect('reports', 'select, insert, update');

create table report_versions (
  realm_id       integer not null,
  report_id      text not null,
  version        integer not null,
  score_version  text not null,
  axes           jsonb not null,
  suggestions    jsonb not null,
  lab_errors     jsonb not null default '[]',
  reason         text,
  created_at     timestamptz not null,
  primary key (realm_id, report_id, version),
  foreign key (realm_id, report_id) references reports on delete cascade
);
select kitlane_protect('report_versions', 'select, insert');

-- judged: the biomarker entry as served, without its history.
create table report_results (
  realm_id      integer not null,
  report_id     text not null,
  version       integer not null,
  biomarker_id  text not null,
  position      integer not null,
  value         double precision,
  judged        jsonb not null,
  primary key (realm_id, report_id, version, biomarker_id),
  foreign key (realm_id, report_id, version) references report_versions on delete cascade
);
select kitlane_protect('report_results', 'select, insert');

-- Deleting: the sandbox throws its data away; of live data only a person's own health data, on erasure.
do $$ declare t text; begin
  foreach t in array array['orders', 'order_items', 'kits', 'consents', 'customers', 'reports', 'report_versions', 'report_results'] loop
    execute format('grant delete on %I to kitlane_app', t);
  end loop;
  foreach t in array array['orders', 'order_items', 'kits', 'customers'] loop
    execute format('create policy sandbox_only on %I as restrictive for delete to kitlane_app using ((select mode from realms) = ''sandbox'')', t);
  end loop;
end $$;
