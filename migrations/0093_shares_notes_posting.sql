-- A person shares one report with a doctor by a link with an end; whoever publishes a report may leave a note; the person says that
-- the sample is posted. A share stands on a personal link: its visits, wrong dates of birth and erasure are the same.
create table report_shares (
  realm_id     integer not null,
  id           text not null,
  link_hash    bytea not null,
  customer_id  bigint not null,
  report_id    text not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  -- Last.
  opened_at    timestamptz,
  sealed       bytea not null,
  primary key (realm_id, id),
  foreign key (realm_id, link_hash) references personal_links on delete cascade,
  foreign key (realm_id, report_id) references reports on delete cascade
);
create unique index report_shares_link on report_shares (realm_id, link_hash);
create index report_shares_report on report_shares (realm_id, report_id);
select kitlane_protect('report_shares', 'select, insert, update, delete');

alter table reports add column sealed_note bytea;

-- When the person said so. The carrier's word is in `progress`.
alter table kits add column posted_at timestamptz;
