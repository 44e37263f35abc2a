-- A completed order held 13 kB of events, most of it twice, and 5 kB of results. What events and reports say is now packed
-- before it is sealed: it refers to words that the program has, instead of repeating them. An event that is packed holds
-- nothing beside its sealed value. A job packs the rows that are there.
alter table events alter column data drop not null;
alter table events add constraint events_says check (num_nonnulls(data, sealed) > 0) not valid;

-- A version of a report is about 2 kB: in its row it takes less than in pieces beside it.
alter table report_versions set (toast_tuple_target = 4080);

-- Processes of the version before cannot open a packed value; new ones of that version refuse to start on this schema. So
-- values are packed once every process that lives has said that it reads them. Where nobody lived yet, at once.
alter table process_beats add column reads_packed boolean not null default false;
create table packing (
  is_only  boolean primary key default true check (is_only),
  since    timestamptz not null default clock_timestamp()
);
grant select, insert on packing to kitlane_system;
insert into packing select where not exists (select from process_beats);
