-- Replacements of the data keys of all realms: one goes on where it was interrupted.

-- How far the job has come that seals rows of earlier versions, and those under a key that was replaced.
create table sealing_progress (
  name         text primary key,
  after        text[] not null default '{}',
  started_at   timestamptz not null,
  finished_at  timestamptz,
  sealed       bigint not null default 0
);
grant insert, update, delete on sealing_progress to kitlane_system;

-- Replacements of the data keys of all realms: one goes on where it was interrupted.
create table key_rotations (
  id           integer generated always as identity primary key,
  started_at   timestamptz not null default clock_timestamp(),
  -- From when on the new keys seal. Null: not all of them are made.
  used_from    timestamptz,
  finished_at  timestamptz
);
create unique index key_rotations_running on key_rotations ((true)) where finished_at is null;
grant insert, update on key_rotations to kitlane_system;
