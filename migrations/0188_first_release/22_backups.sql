-- Backups that were made, and whether each was read back to its end.

-- Backups, and what a dump by the owner gets. Row-level security is forced, so the owner sees no row: `pg_dump
-- --enable-row-security` by the owner would write empty tables and call that a success. A policy of the owner's own now ends
-- each such read with a sentence. kitlane_system sees all rows, and may read every table, so that it can dump them all.
create table backups (
  id          text primary key,
  started_at  timestamptz not null,
  ended_at    timestamptz not null,
  -- Where it was written: the path of a file, or s3://bucket/key.
  location    text not null,
  made_by     text not null,
  ok          boolean not null,
  -- The kind of error, if it failed.
  failure     text,
  bytes       bigint,
  tables      integer,
  rows        bigint,
  files       integer,
  checked_at  timestamptz
);
create index backups_ended on backups (ended_at desc);
grant insert, delete on backups to kitlane_system;
