-- Rows that were written to files of archives.

-- What was taken out of the database, where it is now, and how to tell that it is whole.
create table archives (
  id           text primary key,
  kind         text not null,
  -- The partition that was archived as a whole.
  part         text,
  made_at      timestamptz not null,
  made_by      text not null,
  -- The path of a file, or s3://bucket/key.
  location     text not null,
  -- Rows are of this time, and older than the other.
  from_at      timestamptz,
  to_at        timestamptz,
  rows         bigint not null,
  bytes        bigint not null,
  sha256       bytea not null,
  -- When it was read back and compared, and when the rows were then deleted.
  verified_at  timestamptz,
  purged_at    timestamptz
);
grant insert, update on archives to kitlane_system;
