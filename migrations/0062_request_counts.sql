-- How many requests each caller sent to all nodes together, and how many attempts each network made. Lost in a crash of the
-- server and absent after a failover, which begins a new minute.
create unlogged table request_counts (
  -- A hash of what is counted and who it is.
  caller  bytea primary key,
  count   integer not null,
  ends_at timestamptz not null
);
create index request_counts_ended on request_counts (ends_at);
grant select, insert, update, delete on request_counts to kitlane_system;
