-- The audit grows for years, and what has reached its term is dropped by the month instead of row by row. It is divided by
-- ID and not by time: IDs stay unique by themselves, and whoever looks for one, or for the newest, reads one partition. Each
-- month has 100 billion IDs. When it begins, a job moves the sequence on to the first of them (docs/decisions/0023).
--
-- Against the rule: nothing is removed or renamed that the version before reads or writes, because in the same transaction a
-- partitioned table takes the name, with the same columns, rights and policies; the rows become its first partition.

lock table audit_entries in access exclusive mode;
alter table audit_entries rename to audit_entries_before;
alter index audit_entries_pkey rename to audit_entries_before_pkey;
alter index audit_entries_object rename to audit_entries_before_object;
alter index audit_entries_realm rename to audit_entries_before_realm;
alter index audit_entries_xact rename to audit_entries_before_xact;
alter index audit_entries_files rename to audit_entries_before_files;

-- Identity columns of partitioned tables came with PostgreSQL 17: a sequence that begins where theirs is.
do $$ declare next bigint; begin
  select case when is_called then last_value + 1 else last_value end into next from audit_entries_id_seq;
  alter table audit_entries_before alter column id drop identity;
  execute format('create sequence audit_entries_id_seq start with %s', next);
end $$;

create table audit_entries (like audit_entries_before including defaults including storage) partition by range (id);
alter table audit_entries alter column id set default nextval('audit_entries_id_seq');
alter sequence audit_entries_id_seq owned by audit_entries.id;
alter table audit_entries add primary key (id);
create index audit_entries_object on audit_entries (realm_id, object_type, object_id);
create index audit_entries_realm on audit_entries (realm_id, id);
create index audit_entries_xact on audit_entries using brin (xact) with (pages_per_range = 16, autosummarize = on);
create index audit_entries_files on audit_entries (realm_id, object_type, at) where object_id = '*' and details -> 'ids' is null;

-- The same rights and policies. Nobody needs a right on a partition.
alter table audit_entries enable row level security;
alter table audit_entries force row level security;
do $$ declare p record; begin
  for p in select * from pg_policies where schemaname = 'public' and tablename = 'audit_entries_before' loop
    execute format('create policy %I on audit_entries as %s for %s to %s', p.policyname, p.permissive, p.cmd,
        (select string_agg(quote_ident(r), ', ') from unnest(p.roles) r))
      || coalesce(' using (' || p.qual || ')', '') || coalesce(' with check (' || p.with_check || ')', '');
  end loop;
  for p in select r.rolname, a.privilege_type from pg_class c cross join aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
           where c.oid = 'audit_entries_before'::regclass and a.grantee <> c.relowner loop
    execute format('grant %s on audit_entries to %I', p.privilege_type, p.rolname);
    execute format('revoke %s on audit_entries_before from %I', p.privilege_type, p.rolname);
    if p.privilege_type = 'INSERT' then execute format('grant usage on sequence audit_entries_id_seq to %I', p.rolname); end if;
  end loop;
end $$;
grant select on sequence audit_entries_id_seq to kitlane_system;

alter table audit_entries attach partition audit_entries_before for values from (minvalue) to (100000000000);

-- What has no partition: an order never fails for want of one.
create table audit_entries_rest partition of audit_entries default;
select kitlane_protect('audit_entries_rest', 'select');
revoke all on audit_entries_rest from kitlane_app;
-- A dump reads partitions.
grant select on audit_entries_before to kitlane_system;

create function kitlane_audit_from(month date) returns bigint language sql immutable
  return ((extract(year from month)::bigint - 2020) * 12 + extract(month from month)::bigint - 1) * 100000000000;

-- Adds the partition of a month. False if it is there, or if entries of its IDs are in audit_entries_rest. It waits for no
-- lock longer than 100 ms: then it fails, and the job tries again.
create function kitlane_add_audit_month(month date) returns boolean language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
  part text := 'audit_entries_' || to_char(month, 'YYYY_MM');
begin
  if to_regclass(part) is not null then return false; end if;
  execute format('create table %I (like audit_entries including defaults including storage)', part);
  perform kitlane_protect(part::regclass, 'select');
  execute format('revoke all on %I from kitlane_app', part);
  -- Locks audit_entries against other changes of its form only; audit_entries_rest, which is empty, for a moment.
  execute format('alter table audit_entries attach partition %I for values from (%s) to (%s)', part,
    kitlane_audit_from(month), kitlane_audit_from((month + interval '1 month')::date));
  return true;
exception when check_violation then return false;
end $$;

-- Lets the entries of a month begin in its partition. Only forwards: no ID is ever given twice.
create function kitlane_begin_audit_month(month date) returns boolean language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  begins bigint := kitlane_audit_from(month);
begin
  -- Of two that do this, the second sees what the first has done: a sequence is no part of a snapshot.
  perform pg_advisory_xact_lock(704553207);
  if to_regclass('audit_entries_' || to_char(month, 'YYYY_MM')) is null
    or (select last_value from audit_entries_id_seq) >= begins - 1000000 then return false; end if;
  perform setval('audit_entries_id_seq', begins, false);
  return true;
end $$;

-- Fails unless a month of the audit may go. Whoever has taken over the program removes nothing by it that is younger than six
-- years, by the clock of the database, and nothing without an archive that was read back. What was before the first month was
-- written until that month, at the latest.
create function kitlane_assert_archived(part text) returns void language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  month text := case part when 'audit_entries_before'
    then (select min(inhrelid::regclass::text) from pg_inherits
          where inhparent = 'audit_entries'::regclass and inhrelid::regclass::text ~ '_\d{4}_\d\d$')
    else part end;
begin
  if month is null or month !~ '^audit_entries_\d{4}_\d\d$' then raise exception '% is no month of the audit', part; end if;
  if to_date(right(month, 7), 'YYYY_MM') + interval '1 month' + interval '2192 days' > now() then
    raise exception '% has to be kept for six years', part;
  end if;
  if not exists (select from archives a where a.part = kitlane_assert_archived.part and a.verified_at is not null) then
    raise exception '% was not archived', part;
  end if;
end $$;

-- Deletes some of the lists of a month that is archived. Returns how many; 0: none is left.
create function kitlane_delete_audit_lists(part text, batch integer) returns bigint language plpgsql security definer
  set search_path = public, pg_temp as $$
declare
  month date := case part when 'audit_entries_before' then null else to_date(right(part, 7), 'YYYY_MM') end;
  above bigint := coalesce(kitlane_audit_from(month), 0);
  below bigint := coalesce(kitlane_audit_from((month + interval '1 month')::date), 100000000000);
  deleted bigint;
begin
  perform kitlane_assert_archived(part);
  delete from audit_lists where entry_id in (
    select entry_id from audit_lists where entry_id >= above and entry_id < below order by entry_id limit batch);
  get diagnostics deleted = row_count;
  return deleted;
end $$;

-- Drops a month of the audit that is archived.
create function kitlane_drop_audit_month(part text) returns void language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '100ms' as $$
begin
  perform kitlane_assert_archived(part);
  execute format('alter table audit_entries detach partition %I', part);
  execute format('drop table %I', part);
end $$;

do $$ declare f text; begin
  foreach f in array array['kitlane_add_audit_month(date)', 'kitlane_begin_audit_month(date)', 'kitlane_assert_archived(text)',
      'kitlane_delete_audit_lists(text, integer)', 'kitlane_drop_audit_month(text)'] loop
    execute format('revoke execute on function %s from public', f);
    execute format('grant execute on function %s to kitlane_system', f);
  end loop;
end $$;

-- What was taken out of the database, where it is now, and how to tell that it is whole.
create table archives (
  id          text primary key,
  kind        text not null,
  -- The partition that was archived as a whole.
  part        text,
  made_at     timestamptz not null,
  made_by     text not null,
  -- The path of a file, or s3://bucket/key.
  location    text not null,
  -- Rows are of this time, and older than the other.
  from_at     timestamptz,
  to_at       timestamptz,
  rows        bigint not null,
  bytes       bigint not null,
  sha256      bytea not null,
  -- When it was read back and compared, and when the rows were then deleted.
  verified_at timestamptz,
  purged_at   timestamptz
);
grant select, insert, update on archives to kitlane_system;

-- The seals of each chain whose entries are archived: the hash of the last one is where verifying begins. rest: entries of
-- these seals that are still here, since a seal may reach into the next month, and the SHA-256 of them.
create table audit_archived (
  chain      integer primary key,
  seals      bigint not null,
  hash       bytea not null,
  rest_ids   bigint[] not null default '{}',
  rest_hash  bytea
);
grant select, insert, update on audit_archived to kitlane_system;
