-- One row for each process that serves or works: it writes its row every few seconds. That proves that the database takes
-- changes, tells the process what time it is here, and tells the others whether somebody works.
create table process_beats (
  id       text primary key,
  works    boolean not null,
  beat_at  timestamptz not null
);
create index process_beats_worker on process_beats (beat_at desc) where works;
grant select, insert, update, delete on process_beats to kitlane_app, kitlane_system;

-- The workers of the release before write no row. Where a database was there before, they count as present for 15 minutes:
-- long enough for processes to be replaced one by one.
insert into process_beats (id, works, beat_at)
select 'the release before', true, clock_timestamp() + interval '15 minutes'
where exists (select from schema_migrations where applied_at < now() - interval '10 minutes');
