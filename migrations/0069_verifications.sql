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
grant select, insert, update on verifications to kitlane_system;

-- For each chain of the audit, and for each realm of the ledger: the last seal with its hash, or the last rows, with their sums.
create table verified_parts (
  name      text not null references verifications,
  part      integer not null,
  position  jsonb not null,
  primary key (name, part)
);
grant select, insert, update, delete on verified_parts to kitlane_system;

-- What the partition of everything before will hold (0071). It is checked in the next migration, without a lock that
-- anybody waits for; IDs are far below.
alter table audit_entries add constraint audit_entries_before check (id < 100000000000) not valid;
