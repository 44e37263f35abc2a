-- Who did what and who saw what: never changed, sealed in a chain, dropped by the month after its term (docs/decisions/0023).

create sequence audit_entries_id_seq;

create table audit_entries (
  realm_id           integer,
  id                 bigint default nextval('audit_entries_id_seq') primary key,
  at                 timestamptz not null,
  actor              text not null,
  action             text not null,
  object_type        text not null,
  object_id          text not null,
  request_id         text,
  details            jsonb,
  ip                 text,
  -- Entries are sealed after the fact, in the order of their transactions, so that writing one takes no lock. xact: the
  -- transaction that wrote it. The index on it is a block range: nearly free where rows are only added.
  xact               bigint not null default pg_current_xact_id()::text::bigint,
  -- A request's ID is ours and unique; what the caller calls it stands beside it.
  caller_request_id  text,
  constraint audit_entries_counted check (id > 0 and xact > 0)
) partition by range (id);
create index audit_entries_object on audit_entries (realm_id, object_type, object_id);
create index audit_entries_realm on audit_entries (realm_id, id);
create index audit_entries_xact on audit_entries using brin (xact) with (pages_per_range = 16, autosummarize = on);
create index audit_entries_files on audit_entries (realm_id, object_type, at) where object_id = '*' and details -> 'ids' is null;
select kitlane_protect('audit_entries', 'select');
create policy realms_of_group on audit_entries to kitlane_placement using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
create policy realms_of_reading on audit_entries to kitlane_reading using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
grant insert (
  realm_id, at, actor, action, object_type, object_id, request_id, details, ip, caller_request_id
) on audit_entries to kitlane_system, kitlane_app, kitlane_reading, kitlane_placement;
alter sequence audit_entries_id_seq owned by audit_entries.id;
grant usage on sequence audit_entries_id_seq to kitlane_app, kitlane_system, kitlane_placement, kitlane_reading;

-- What was written before the first month of its own, and what has no partition: an order never fails for want of one.
create table audit_entries_before partition of audit_entries for values from (minvalue) to (100000000000);
create table audit_entries_rest partition of audit_entries default;
select kitlane_protect('audit_entries_before', 'select');
select kitlane_protect('audit_entries_rest', 'select');
revoke all on audit_entries_before, audit_entries_rest from kitlane_app;
create policy realms_of_group on audit_entries_before to kitlane_placement
  using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
create policy realms_of_reading on audit_entries_before to kitlane_reading
  using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));

-- A chain for each realm (chain 0: what has none). A seal is the SHA-256 of the seal before it and of its entries.
create table audit_seals (
  chain      integer not null,
  number     bigint not null,
  entry_ids  bigint[] not null,
  hash       bytea not null,
  sealed_at  timestamptz not null,
  form       smallint not null default 1,
  primary key (chain, number)
);
grant insert on audit_seals to kitlane_system;

-- Where each chain ends: the last seal cannot be taken away unseen.
create table audit_chains (
  chain  integer primary key,
  seals  bigint not null,
  hash   bytea not null
);
grant insert, update on audit_chains to kitlane_system;

-- The last entry sealed. floor: entries up to this ID were written by another cluster, whose transactions count apart.
create table audit_sealing (
  one    boolean default true primary key check (one),
  xact   bigint not null,
  id     bigint not null,
  floor  bigint not null
);
grant update on audit_sealing to kitlane_system;

-- A list is one entry that names what it showed. Here these names are found: four bytes of a hash for each. A job
-- writes them behind the requests. An index on audit_entries itself took 40 s for a million entries, and blocked all writers.
-- Without fastupdate, no statement has to tidy up after thousands of others.
create table audit_lists (
  entry_id  bigint primary key,
  objects   integer[] not null
);
create index audit_lists_objects on audit_lists using gin (objects) with (fastupdate = off);
grant insert on audit_lists to kitlane_system;

-- How far each reader of the sealed entries has come, in the order of sealing. floor: as in audit_sealing.
-- held_by, held_until: a reader that sends what it reads holds its row meanwhile, without a transaction.
create table audit_readers (
  name        text primary key,
  xact        bigint not null,
  id          bigint not null,
  floor       bigint not null,
  held_by     text,
  held_until  timestamptz
);
grant update on audit_readers to kitlane_system;

-- The ends of the chains at one time, as text: a line for each chain that has grown since the anchor before. digest is the
-- SHA-256 of the anchor before and of this text. It is what is kept outside of the database.
create table audit_anchors (
  number    bigint primary key,
  at        timestamptz not null,
  previous  bytea not null,
  seals     text not null,
  digest    bytea not null unique
);
grant insert on audit_anchors to kitlane_system;

create table audit_words (
  realm_id  integer not null references realms,
  id        text not null,
  sealed    bytea not null,
  primary key (realm_id, id)
);
select kitlane_protect('audit_words', 'select, insert');
grant update (sealed) on audit_words to kitlane_system;

-- The seals of each chain whose entries are archived: the hash of the last one is where verifying begins. rest: entries of
-- these seals that are still here, since a seal may reach into the next month, and the SHA-256 of them.
create table audit_archived (
  chain      integer primary key,
  seals      bigint not null,
  hash       bytea not null,
  rest_ids   bigint[] not null default '{}',
  rest_hash  bytea
);
grant insert, update on audit_archived to kitlane_system;

create function audit_entries_now() returns trigger language plpgsql as $$
begin
  new.at := clock_timestamp();
  return new;
end $$;

-- Words are sealed anew when the key of their realm was replaced, and changed for no other reason: the value that is there must be
-- of an older key, and the new one of the newest.
create function audit_words_resealed() returns trigger language plpgsql as $$
declare
  newest bytea;
begin
  select int4send(id) into newest from data_keys
    where realm_id = old.realm_id and purpose = 'data' and used_from <= clock_timestamp()
    order by used_from desc, id desc limit 1;
  if substring(old.sealed from 2 for 4) = newest or substring(new.sealed from 2 for 4) is distinct from newest then
    raise exception 'The words of the audit are not changed: they are only sealed anew with a new key'
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;

-- Adds the partition of a month. False if it is there, or if entries of its IDs are in audit_entries_rest. It waits for no
-- lock longer than 100 ms: then it fails, and the job tries again.
create function kitlane_add_audit_month(month date) returns boolean language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
  part text := 'audit_entries_' || to_char(month, 'YYYY_MM');
begin
  if to_regclass(part) is not null then return false; end if;
  execute format('create table %I (like audit_entries including defaults including storage including constraints)', part);
  perform kitlane_protect(part::regclass, 'select');
  execute format('revoke all on %I from kitlane_app', part);
  execute format('alter table audit_entries attach partition %I for values from (%s) to (%s)', part,
    kitlane_audit_from(month), kitlane_audit_from((month + interval '1 month')::date));
  return true;
exception when check_violation then return false;
end $$;
revoke execute on function kitlane_add_audit_month(date) from public;
grant execute on function kitlane_add_audit_month(date) to kitlane_system;

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
revoke execute on function kitlane_assert_archived(text) from public;
grant execute on function kitlane_assert_archived(text) to kitlane_system;

create function kitlane_audit_from(month date) returns bigint language sql immutable
  return ((extract(year from month)::bigint - 2020) * 12 + extract(month from month)::bigint - 1) * 100000000000;

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
revoke execute on function kitlane_begin_audit_month(date) from public;
grant execute on function kitlane_begin_audit_month(date) to kitlane_system;

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
revoke execute on function kitlane_delete_audit_lists(text, integer) from public;
grant execute on function kitlane_delete_audit_lists(text, integer) to kitlane_system;

-- Drops a month of the audit that is archived.
create function kitlane_drop_audit_month(part text) returns void language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '100ms' as $$
begin
  perform kitlane_assert_archived(part);
  execute format('alter table audit_entries detach partition %I', part);
  execute format('drop table %I', part);
end $$;
revoke execute on function kitlane_drop_audit_month(text) from public;
grant execute on function kitlane_drop_audit_month(text) to kitlane_system;

-- Five minutes: longer than any transaction of the program, which gives the time of its beginning.
create trigger audit_entries_now before insert on audit_entries for each row
  when (new.at < clock_timestamp() - interval '5 minutes' or new.at > clock_timestamp() + interval '5 minutes')
  execute function audit_entries_now();
create trigger audit_words_resealed before update on audit_words for each row execute function audit_words_resealed();

insert into audit_readers (name, xact, id, floor) values ('lists', 0, 0, 0), ('stream', 0, 0, 0), ('alarms', 0, 0, 0);
insert into audit_sealing (xact, id, floor) values (0, 0, 0);
