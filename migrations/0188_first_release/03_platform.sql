-- What the program needs of the database itself: the processes that live, keys, files, lists, idempotency keys, verification.

-- Numbers of transactions outlive the cluster that gave them: a restored dump and a promoted logical copy hold rows whose
-- numbers are ahead of what the new cluster counts, and whoever compares the two hides rows for good. So the clusters that
-- the data has lived in are counted, too: an era for each, in the upper 16 bits of what rows keep (2^48 transactions an era).
-- cluster: the system identifier. A standby keeps it and goes on counting; a new cluster of any kind has another.
create table transaction_era (
  one      boolean default true primary key check (one),
  number   integer not null,
  cluster  bigint not null
);
grant select on transaction_era to kitlane_app, kitlane_placement, kitlane_reading;
grant update (number, cluster) on transaction_era to kitlane_app, kitlane_system, kitlane_placement;
insert into transaction_era (number, cluster) select 0, system_identifier from pg_control_system();

-- The number of this transaction, above those of every era before.
create function kitlane_xact() returns xid8 language plpgsql as $$
declare
  here bigint := (pg_control_system()).system_identifier;
  era integer;
begin
  select number into era from transaction_era where cluster = here;
  if era is null then
    -- One of those who find this at once does it; the others wait for its commit.
    update transaction_era set number = number + 1, cluster = here where cluster <> here;
    select number into era from transaction_era;
  end if;
  return ((era::bigint << 48) + pg_current_xact_id()::text::bigint)::text::xid8;
end $$;

-- Every transaction below this one has ended: of eras before, all have.
create function kitlane_settled() returns xid8 language sql stable as $$
  select case when e.cluster = c.system_identifier
    then ((e.number::bigint << 48) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8
    else ((e.number + 1)::bigint << 48)::text::xid8 end
  from transaction_era e, pg_control_system() c
$$;

create table idempotency_keys (
  realm_id     integer not null,
  key          text not null,
  fingerprint  bytea not null,
  status       smallint,
  headers      jsonb,
  body         text,
  created_at   timestamptz not null,
  sealed       bytea,
  primary key (realm_id, key)
);
alter table idempotency_keys alter column sealed set storage external;
create index idempotency_keys_age on idempotency_keys (created_at);
select kitlane_protect('idempotency_keys', 'select, insert, update, delete');
create policy realms_of_group on idempotency_keys to kitlane_placement using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
grant select, insert, delete on idempotency_keys to kitlane_placement;

-- As idempotency_keys, for callers who belong to no realm. Answers are sealed: some hold tokens.
create table operator_idempotency_keys (
  key          text primary key,
  fingerprint  bytea not null,
  answer       bytea,
  created_at   timestamptz not null,
  sealed       bytea
);
alter table operator_idempotency_keys alter column sealed set storage external;
create index operator_idempotency_keys_age on operator_idempotency_keys (created_at);
grant insert, update, delete on operator_idempotency_keys to kitlane_system;

-- How many rows of each block of numbers fit a filter, remembered from one reading to the next (counted.ts). counts: by
-- block. seen: every transaction before this one is in them. What changed since is in list_changes; new rows are those
-- above `upto`.
create table list_counts (
  realm_id     integer not null references realms,
  list         text not null,
  filter       text not null,
  counts       integer[] not null,
  upto         bigint not null,
  seen         xid8 not null,
  computed_at  timestamptz not null,
  primary key (realm_id, list, filter)
);
create index list_counts_age on list_counts (computed_at);
select kitlane_protect('list_counts', 'select, insert, update');
grant delete on list_counts to kitlane_system;

create table list_changes (
  realm_id  integer not null,
  list      text not null,
  block     integer not null,
  xact      xid8 not null default kitlane_xact(),
  at        timestamptz not null default now()
);
create index list_changes_since on list_changes (realm_id, list, xact, block);
create index list_changes_age on list_changes (at);
select kitlane_protect('list_changes', 'select, insert');
grant delete on list_changes to kitlane_system;

-- One row for each process that serves or works: it writes its row every few seconds. That proves that the database takes
-- changes, tells the process what time it is here, and tells the others whether somebody works.
create table process_beats (
  id              text primary key,
  works           boolean not null,
  beat_at         timestamptz not null,
  reads_packed    boolean not null default false,
  -- What a process sees that is wrong with the addresses of its callers, for `kitlane doctor`. Null: nothing.
  caller_problem  text
);
create index process_beats_worker on process_beats (beat_at desc) where works;
grant select, insert, update, delete on process_beats to kitlane_app;
grant insert, update, delete on process_beats to kitlane_system;

-- Which key seals the secrets in this database: four bytes of the key's own hash, as at the head of each sealed value. A
-- process with another key would write what nobody else can read, so that it refuses to start.
create table encryption_key (
  is_only  boolean default true primary key check (is_only),
  id       bytea not null check (octet_length(id) = 4)
);
grant select, insert on encryption_key to kitlane_app;
grant insert, update on encryption_key to kitlane_system;

-- The keys that personal data is sealed with: each realm has its own, wrapped by a master key that no table holds.
-- realm_id 0: what belongs to no business. `data` keys seal, and are replaced by rotation; the one `index` key makes the
-- hashes that sealed values are found by, each realm's its own, and stays; the one `secrets` key seals secrets
-- (webhooks, second factors, links).
create table data_keys (
  id          integer generated always as identity primary key,
  realm_id    integer not null,
  purpose     text not null check (purpose in ('data', 'index', 'secrets')),
  wrapped     bytea not null,
  -- The ID of the master key.
  wrapped_by  text not null,
  -- Every process knows a key before the first one seals with it.
  used_from   timestamptz not null,
  created_at  timestamptz not null default clock_timestamp()
);
create unique index data_keys_single on data_keys (purpose) where purpose <> 'data';
create index data_keys_realm on data_keys (realm_id);
select kitlane_protect('data_keys', 'select');
grant insert, update, delete on data_keys to kitlane_system;

-- Files are kept outside of the database, in a folder or in object storage: see src/platform/files.
-- Which store it is. Each process compares it with the mark in the store, so that none writes to another one.
create table file_store (
  is_only      boolean default true primary key check (is_only),
  id           text not null,
  created_at   timestamptz not null default clock_timestamp(),
  -- Files that were named on this day or before, and belong to no row, are gone.
  swept_until  date not null default (clock_timestamp() at time zone 'UTC')::date - 2
);
grant select, insert on file_store to kitlane_app;
grant insert, update on file_store to kitlane_system;

create table files (
  realm_id    integer not null references realms,
  -- The day and a random ID.
  name        text not null check (name ~ '^\d{4}-\d\d-\d\d/[\w-]+$') unique,
  -- Of the sealed bytes, as the store has them.
  sha256      bytea not null check (octet_length(sha256) = 32),
  bytes       integer not null check (bytes > 0),
  data_key    integer not null,
  stored_at   timestamptz not null,
  -- Nothing refers to it any more: a job deletes it from the store, then this row.
  dropped_at  timestamptz,
  primary key (realm_id, name)
);
create index files_dropped on files (dropped_at) where dropped_at is not null;
select kitlane_protect('files', 'select, insert');
grant delete on files to kitlane_system;
grant update (dropped_at) on files to kitlane_app, kitlane_system;

-- How many requests each caller sent to all nodes together, and how many attempts each network made. Lost in a crash of the
-- server and absent after a failover, which begins a new minute.
create unlogged table request_counts (
  -- A hash of what is counted and who it is.
  caller   bytea primary key,
  count    integer not null,
  ends_at  timestamptz not null
);
create index request_counts_ended on request_counts (ends_at);
grant insert, update, delete on request_counts to kitlane_system;

-- Since when values are packed before they are sealed: every process that lives has said that it reads them.
create table packing (
  is_only  boolean default true primary key check (is_only),
  since    timestamptz not null default clock_timestamp()
);
grant insert on packing to kitlane_system;
insert into packing default values;

-- How far the audit and the ledger are verified, so that a verification goes on where the last one ended or was killed.
-- A pass goes from its beginning to where everything stood then; a whole one begins with the first row ever written.
create table verifications (
  name            text primary key check (name in ('audit', 'ledger')),
  -- Grows with each batch that is kept: of two processes that verify, only one keeps it, and the other reads on from there.
  batch           bigint not null,
  head            jsonb not null,
  is_whole        boolean not null,
  began_at        timestamptz not null,
  -- Null while the pass is under way.
  ended_at        timestamptz,
  -- Something was found: the next pass is a whole one.
  is_broken       boolean not null,
  -- The last whole pass that found nothing.
  whole_began_at  timestamptz,
  whole_ended_at  timestamptz
);
grant insert, update on verifications to kitlane_system;

-- For each chain of the audit, and for each realm of the ledger: the last seal with its hash, or the last rows, with their sums.
create table verified_parts (
  name        text not null references verifications,
  part        integer not null,
  position  jsonb not null,
  primary key (name, part)
);
grant insert, update, delete on verified_parts to kitlane_system;

-- A file of the store that nothing refers to is dropped, however its row ended.
create function kitlane_drop_file() returns trigger language plpgsql as $$
begin
  update files set dropped_at = clock_timestamp() where realm_id = old.realm_id and name = old.file;
  return null;
end $$;

-- Inserted rows need no line: whoever reads knows how far it has counted.
create function list_changed() returns trigger language plpgsql as $$
begin
  insert into list_changes (realm_id, list, block)
  select distinct realm_id, tg_table_name, ((seq - 1) / 512)::int from changed;
  if tg_table_name = 'kits' then
    insert into list_changes (realm_id, list, block)
    select distinct o.realm_id, 'orders', ((o.seq - 1) / 512)::int
    from changed k join orders o on o.realm_id = k.realm_id and o.id = k.order_id;
  end if;
  return null;
end $$;
