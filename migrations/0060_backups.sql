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
  files       integer
);
create index backups_ended on backups (ended_at desc);
grant select, insert, delete on backups to kitlane_system;

create function kitlane_refuse_owner() returns boolean language plpgsql stable as $$
begin
  raise exception 'Row-level security hides every row from the owner of the database, so this would read nothing.'
    using errcode = 'insufficient_privilege',
          hint = 'Make backups with: kitlane backup. For pg_dump add: --role=kitlane_system --enable-row-security';
end $$;

create or replace function kitlane_protect(tbl regclass, privileges text) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tbl);
  execute format('alter table %s force row level security', tbl);
  execute format('create policy realm on %s to kitlane_app using (realm_id = kitlane_realm()) with check (realm_id = kitlane_realm())', tbl);
  execute format('create policy every_realm on %s to kitlane_system using (true) with check (true)', tbl);
  execute format('create policy not_the_owner on %s for select to %I using (kitlane_refuse_owner())', tbl, current_user);
  execute format('grant %s on %s to kitlane_app, kitlane_system', privileges, tbl);
end $$;

do $$
declare tbl regclass;
begin
  for tbl in select oid from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and relrowsecurity
  loop
    execute format('create policy not_the_owner on %s for select to %I using (kitlane_refuse_owner())', tbl, current_user);
  end loop;
end $$;

grant select on all tables in schema public to kitlane_system;
grant select on all sequences in schema public to kitlane_system;
alter default privileges in schema public grant select on tables to kitlane_system;
alter default privileges in schema public grant select on sequences to kitlane_system;
