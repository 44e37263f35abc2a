-- People who sign in. A user is a person; what the person may do is a membership: on the operator's side (no business) or
-- in a business, one role on each side. Memberships wait for the person to accept the invitation.
alter table users
  add column name              text,
  add column disabled_at       timestamptz,
  add column signed_in_at      timestamptz,
  -- Sealed with the encryption key; counts only once totp_enabled_at is set.
  add column totp_secret       bytea,
  add column totp_enabled_at   timestamptz,
  -- The time step of the last code taken: a code is taken once.
  add column totp_last_step    bigint,
  alter column password_hash drop not null;

create table memberships (
  user_id      text not null references users on delete cascade,
  business_id  text references businesses,
  role         text not null,
  created_at   timestamptz not null,
  accepted_at  timestamptz,
  disabled_at  timestamptz,
  unique nulls not distinct (user_id, business_id),
  check (case when business_id is null then role in ('operator-admin', 'fulfilment', 'lab', 'reviewer')
              else role in ('business-admin', 'business-viewer') end)
);
create index memberships_business on memberships (business_id);
grant select, insert, update, delete on memberships to kitlane_system;
grant delete on users to kitlane_system;

insert into memberships (user_id, business_id, role, created_at, accepted_at)
select id, business_id, case role when 'operator' then 'operator-admin' else 'business-admin' end, created_at, created_at from users;
alter table users drop column business_id, drop column role;

-- The cookie is 256 random bits: its hash is enough. A session that has ended is deleted.
create table sessions (
  hash        bytea primary key,
  id          text not null unique,
  user_id     text not null references users on delete cascade,
  created_at  timestamptz not null,
  seen_at     timestamptz not null,
  expires_at  timestamptz not null,
  -- The realms of businesses that the operator's staff went into: each is in the audit once.
  entered     integer[] not null default '{}'
);
create index sessions_user on sessions (user_id);
grant select, insert, update, delete on sessions to kitlane_system;

-- Every attempt counts as a failure until it has succeeded, so that many at once find no gap. account: a hash of the e-mail.
create table sign_in_failures (
  id       bigint generated always as identity primary key,
  account  bytea not null,
  ip       text not null,
  at       timestamptz not null
);
create index sign_in_failures_account on sign_in_failures (account, at);
grant select, insert, delete on sign_in_failures to kitlane_system;

-- Invitations and password resets. business_id: the membership that an invitation is for.
create table account_links (
  hash         bytea primary key,
  kind         text not null check (kind in ('invitation', 'reset')),
  user_id      text not null references users on delete cascade,
  business_id  text references businesses,
  created_at   timestamptz not null,
  expires_at   timestamptz not null
);
create index account_links_user on account_links (user_id);
grant select, insert, delete on account_links to kitlane_system;

create table recovery_codes (
  user_id  text not null references users on delete cascade,
  hash     bytea not null,
  primary key (user_id, hash)
);
grant select, insert, delete on recovery_codes to kitlane_system;

-- Letters about accounts belong to no realm: only kitlane_system sees them. Their link is kept apart and sealed, until
-- they are sent.
alter table emails drop constraint emails_pkey;
alter table emails alter column realm_id drop not null;
drop index emails_id;
alter table emails add primary key (id);
alter table emails add column secret bytea;

-- What was done outside of any business (sign-ins, the operator's staff) has no realm: only kitlane_system sees it.
alter table audit_entries drop constraint audit_entries_pkey;
alter table audit_entries alter column realm_id drop not null;
alter table audit_entries add primary key (id);
alter table audit_entries add column ip text;
create index audit_entries_realm on audit_entries (realm_id, id);

-- Entries are sealed after the fact, in the order of their transactions, so that writing one takes no lock. xact: the
-- transaction that wrote it. The index on it is a block range: nearly free where rows are only added.
alter table audit_entries add column xact bigint not null default (pg_current_xact_id()::text::bigint);
create index audit_entries_xact on audit_entries using brin (xact) with (pages_per_range = 16, autosummarize = on);

-- A chain for each realm (chain 0: what has none). A seal is the SHA-256 of the seal before it and of its entries.
create table audit_seals (
  chain      integer not null,
  number     bigint not null,
  entry_ids  bigint[] not null,
  hash       bytea not null,
  sealed_at  timestamptz not null,
  primary key (chain, number)
);
grant select, insert on audit_seals to kitlane_system;
-- Where each chain ends: the last seal cannot be taken away unseen.
create table audit_chains (
  chain  integer primary key,
  seals  bigint not null,
  hash   bytea not null
);
grant select, insert, update on audit_chains to kitlane_system;
-- The last entry sealed. floor: entries up to this ID were written by another cluster, whose transactions count apart.
create table audit_sealing (
  one    boolean primary key default true check (one),
  xact   bigint not null,
  id     bigint not null,
  floor  bigint not null
);
insert into audit_sealing (xact, id, floor) values (0, 0, 0);
grant select, update on audit_sealing to kitlane_system;
