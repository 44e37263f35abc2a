-- A developer looks up what their program asked for and what it was answered. The rows are many and soon gone, so they are
-- divided by the day, and a day is emptied at once instead of row by row: 32 partitions are used in turn.

create sequence request_log_id_seq;

create table request_log (
  -- Days since 1970 modulo 32.
  slot      smallint not null,
  -- How many requests there are, and the highest status of their answers.
  count     smallint not null,
  worst     smallint not null,
  -- Without a foreign key: it would be looked up with each row.
  realm_id  integer not null,
  -- In the order of commits: writers take turns (request-log/queries.ts). Whoever goes on after an ID misses nothing.
  id        bigint not null default nextval('request_log_id_seq'),
  first_at  timestamptz not null,
  last_at   timestamptz not null,
  -- A line each (request-log/lines.ts).
  requests  text not null
) partition by list (slot);
alter table request_log alter column requests set storage external;
create index request_log_realm on request_log (realm_id, id);
select kitlane_protect('request_log', 'select');
grant insert on request_log to kitlane_system;
alter sequence request_log_id_seq owned by request_log.id;
grant usage on sequence request_log_id_seq to kitlane_system;

do $$ declare part text; begin
  for slot in 0..31 loop
    part := 'request_log_' || to_char(slot, 'FM00');
    execute format('create table %I partition of request_log for values in (%s)', part, slot);
    perform kitlane_protect(part::regclass, 'select');
    execute format('revoke all on %I from kitlane_app', part);
    execute format('grant truncate on %I to kitlane_system', part);
  end loop;
end $$;
