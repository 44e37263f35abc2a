-- Who signed the ranges of a version of a biomarker: a director, of which laboratory, when. A version without a row is unsigned.
create table range_signatures (
  biomarker_id  text not null,
  version       integer not null,
  laboratory    text not null,
  director      text not null,
  signed_at     timestamptz not null,
  signed_by     text not null,
  primary key (biomarker_id, version),
  foreign key (biomarker_id, version) references biomarkers (id, version)
);
grant select on range_signatures to kitlane_app;
grant select, insert on range_signatures to kitlane_system;
