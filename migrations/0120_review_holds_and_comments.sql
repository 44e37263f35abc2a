-- Reviewers hold a report back until a day, with a reason, and leave notes for each other. A hold ends by being released or by itself;
-- while it lasts, nothing publishes the report. Notes are only added to. Neither is shown to the person or the business.
create table report_holds (
  realm_id    integer     not null,
  id          text        not null,
  report_id   text        not null,
  held_at     timestamptz not null,
  held_by     text        not null,
  until_at    timestamptz not null,
  released_at timestamptz,
  released_by text,
  sealed      bytea       not null,
  primary key (realm_id, id),
  foreign key (realm_id, report_id) references reports on delete cascade
);
create index report_holds_report on report_holds (realm_id, report_id);
select kitlane_protect('report_holds', 'select, insert, update');

create table report_comments (
  realm_id  integer     not null,
  id        text        not null,
  report_id text        not null,
  at        timestamptz not null,
  by        text        not null,
  sealed    bytea       not null,
  primary key (realm_id, id),
  foreign key (realm_id, report_id) references reports on delete cascade
);
create index report_comments_report on report_comments (realm_id, report_id, at);
select kitlane_protect('report_comments', 'select, insert');
-- New keys seal it anew; what it says does not change.
grant update (sealed) on report_comments to kitlane_system;
