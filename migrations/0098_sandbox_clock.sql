-- How far a business has advanced the clock of its sandbox, in all. The clock itself is that of the database for every realm: an
-- advance moves the times of the sandbox's rows back (sandbox/clock.ts). Live data has no such clock.
alter table realms add column clock_advanced_ms bigint not null default 0
  check (clock_advanced_ms >= 0 and (mode = 'sandbox' or clock_advanced_ms = 0));
grant update (clock_advanced_ms) on realms to kitlane_app;
-- The visits of a personal link end sooner, too.
grant update (expires_at) on personal_sessions to kitlane_app;
