-- Tokens, people who sign in, what they may do, and how they are known: passwords, passkeys, single sign-on, SCIM.

-- Only the hash is kept: 32 random base62 characters (190 bits) need no slow hash.
create table tokens (
  realm_id           integer not null references realms,
  id                 text not null,
  hash               bytea not null unique,
  hint               text not null,
  name               text not null,
  scopes             text[] not null,
  created_at         timestamptz not null,
  expires_at         timestamptz,
  revoked_at         timestamptz,
  -- Addresses and networks (CIDR); null: from anywhere. replaced_by: the token that a rotation made.
  addresses          text[],
  replaced_by        text,
  -- Null: not in a support access, or an administrator of the business kept it.
  support_access_id  text,
  primary key (realm_id, id)
);
select kitlane_protect('tokens', 'select, insert, update');

create table users (
  id                 text primary key,
  email              text not null,
  password_hash      text,
  created_at         timestamptz not null,
  -- People who sign in. A user is a person; what the person may do is a membership: on the operator's side (no business) or
  -- in a business, one role on each side. Memberships wait for the person to accept the invitation.
  name               text,
  disabled_at        timestamptz,
  signed_in_at       timestamptz,
  -- Sealed with the encryption key; counts only once totp_enabled_at is set.
  totp_secret        bytea,
  totp_enabled_at    timestamptz,
  -- The time step of the last code taken: a code is taken once.
  totp_last_step     bigint,
  -- An account counts for its e-mail address only once somebody has followed a link that went to that address alone. Before,
  -- whoever invited somebody saw the link too, and could make the account of an address that is not theirs.
  email_verified_at  timestamptz
);
create unique index users_email on users (lower(email));
grant insert, update, delete on users to kitlane_system;

-- What comes in about people: data that a business adds, files, and laboratories' messages.
-- Machines and staff of the operator: a token of its own kind, of no realm.
create table operator_tokens (
  id           text primary key,
  hash         bytea not null unique,
  hint         text not null,
  name         text not null,
  scopes       text[] not null,
  created_at   timestamptz not null,
  expires_at   timestamptz,
  revoked_at   timestamptz,
  addresses    text[],
  replaced_by  text,
  made_by      text
);
grant insert, update on operator_tokens to kitlane_system;

create table memberships (
  user_id            text not null references users on delete cascade,
  business_id        text references businesses,
  role               text not null,
  created_at         timestamptz not null,
  accepted_at        timestamptz,
  disabled_at        timestamptz,
  -- The connection whose groups gave the role; null: a person did.
  sso_connection_id  text,
  support_access_id  text,
  unique nulls not distinct (user_id, business_id),
  check (case when business_id is null then role in ('operator-admin', 'fulfilment', 'lab', 'reviewer') else role in ('business-admin', 'business-viewer') end)
);
create index memberships_business on memberships (business_id);
create index memberships_sso_connection on memberships (sso_connection_id) where sso_connection_id is not null;
grant insert, update, delete on memberships to kitlane_system;

-- The cookie is 256 random bits: its hash is enough. A session that has ended is deleted.
create table sessions (
  hash               bytea primary key,
  id                 text not null unique,
  user_id            text not null references users on delete cascade,
  created_at         timestamptz not null,
  seen_at            timestamptz not null,
  expires_at         timestamptz not null,
  -- The realms of businesses that the operator's staff went into: each is in the audit once.
  entered            integer[] not null default '{}',
  -- A session that a provider began reaches the side of that provider, and ends with the connection.
  sso_connection_id  text,
  proved_at          timestamptz,
  -- The same with the second factor of the account.
  factor_proved_at   timestamptz,
  -- The browser in words, and the network that it was last seen in.
  browser            text,
  network            text
);
create index sessions_user on sessions (user_id);
create index sessions_sso_connection on sessions (sso_connection_id) where sso_connection_id is not null;
grant insert, update, delete on sessions to kitlane_system;

-- Every attempt counts as a failure until it has succeeded, so that many at once find no gap. account: a hash of the e-mail.
create table sign_in_failures (
  id       bigint generated always as identity primary key,
  account  bytea not null,
  ip       text not null,
  at       timestamptz not null,
  known    boolean not null default false
);
create index sign_in_failures_account on sign_in_failures (account, at);
-- For the failures of one network at all accounts, and for those of everybody.
create index sign_in_failures_ip on sign_in_failures (ip, at);
create index sign_in_failures_at on sign_in_failures (at);
grant insert, delete on sign_in_failures to kitlane_system;

-- Invitations and password resets. business_id: the membership that an invitation is for.
create table account_links (
  hash         bytea primary key,
  kind         text not null check (kind in ('invitation', 'reset')),
  user_id      text not null references users on delete cascade,
  business_id  text references businesses,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  mailed_only  boolean not null default false
);
create index account_links_user on account_links (user_id);
grant insert, delete on account_links to kitlane_system;

create table recovery_codes (
  user_id  text not null references users on delete cascade,
  hash     bytea not null,
  primary key (user_id, hash)
);
grant insert, delete on recovery_codes to kitlane_system;

-- Browsers that an account signed in with: their cookie is 256 random bits, so its hash is enough.
create table known_devices (
  hash     bytea not null,
  user_id  text not null references users on delete cascade,
  seen_at  timestamptz not null,
  primary key (hash, user_id)
);
create index known_devices_user on known_devices (user_id);
grant insert, update, delete on known_devices to kitlane_system;

-- group_roles: an ordered list of {"group", "role"}; the first group that a person is in decides.
create table sso_connections (
  id                 text primary key,
  business_id        text references businesses,
  name               text not null,
  issuer             text not null,
  client_id          text not null,
  client_secret      bytea not null,
  group_claim        text not null,
  group_roles        jsonb not null,
  is_enforced        boolean not null default false,
  emergency_user_id  text references users on delete set null,
  created_at         timestamptz not null,
  -- SCIM 2.0: an identity provider creates, changes and removes the users of its single sign-on, and says who is in which
  -- group. A connection has one token for it, of which only the hash is kept.
  scim_token_hash    bytea,
  scim_token_at      timestamptz,
  -- Who made or changed a single sign-on, and who made a token of the operator: `user:…`, `operator:…`.
  set_up_by          text[] not null default '{}'
);
create index sso_connections_business on sso_connections (business_id);
create index sso_connections_emergency on sso_connections (emergency_user_id);
create unique index sso_connections_scim_token on sso_connections (scim_token_hash) where scim_token_hash is not null;
grant insert, update, delete on sso_connections to kitlane_system;
alter table memberships add constraint memberships_sso_connection foreign key (sso_connection_id) references sso_connections on delete set null;
alter table sessions add constraint sessions_sso_connection foreign key (sso_connection_id) references sso_connections on delete cascade;

-- Several may claim a domain; one has it.
create table sso_domains (
  connection_id  text not null references sso_connections on delete cascade,
  domain         text not null check (domain = lower(domain)),
  verified_at    timestamptz,
  primary key (connection_id, domain)
);
create unique index sso_domains_verified on sso_domains (domain) where verified_at is not null;
grant insert, update, delete on sso_domains to kitlane_system;

-- subject: what the provider calls a person. It stays when their address changes.
create table sso_identities (
  connection_id  text not null references sso_connections on delete cascade,
  subject        text not null,
  user_id        text not null references users on delete cascade,
  created_at     timestamptz not null,
  primary key (connection_id, subject),
  unique (connection_id, user_id)
);
create index sso_identities_user on sso_identities (user_id);
grant insert, update, delete on sso_identities to kitlane_system;

-- A sign-in that is under way at the provider. browser_hash: of a secret that the browser keeps; sealed: nonce and verifier.
create table sso_attempts (
  state_hash     bytea primary key,
  connection_id  text not null references sso_connections on delete cascade,
  browser_hash   bytea not null,
  sealed         bytea not null,
  expires_at     timestamptz not null
);
create index sso_attempts_expiry on sso_attempts (expires_at);
create index sso_attempts_connection on sso_attempts (connection_id);
grant insert, delete on sso_attempts to kitlane_system;

-- What the provider says of a person. user_id: absent while no group gives a role.
create table scim_users (
  id             text primary key,
  connection_id  text not null references sso_connections on delete cascade,
  user_id        text references users on delete set null,
  user_name      text not null,
  external_id    text,
  email          text not null,
  is_active      boolean not null,
  profile        jsonb not null,
  created_at     timestamptz not null,
  updated_at     timestamptz not null
);
create unique index scim_users_name on scim_users (connection_id, lower(user_name));
create unique index scim_users_email on scim_users (connection_id, lower(email));
create index scim_users_external on scim_users (connection_id, external_id);
create index scim_users_user on scim_users (user_id);
grant insert, update, delete on scim_users to kitlane_system;

create table scim_groups (
  id             text primary key,
  connection_id  text not null references sso_connections on delete cascade,
  display_name   text not null,
  external_id    text,
  created_at     timestamptz not null,
  updated_at     timestamptz not null
);
create unique index scim_groups_name on scim_groups (connection_id, lower(display_name));
grant insert, update, delete on scim_groups to kitlane_system;

create table scim_members (
  group_id      text not null references scim_groups on delete cascade,
  scim_user_id  text not null references scim_users on delete cascade,
  primary key (group_id, scim_user_id)
);
create index scim_members_user on scim_members (scim_user_id);
grant insert, delete on scim_members to kitlane_system;

-- Passkeys, the sessions that a person sees and ends, and when a session last proved who uses it.
create table passkeys (
  id             text primary key,
  user_id        text not null references users on delete cascade,
  -- What the authenticator calls it, in base64url: unique over all accounts.
  credential_id  text not null unique,
  public_key     bytea not null,
  -- How often it signed, as it says itself; 0 where it does not count.
  counter        bigint not null,
  transports     text[] not null,
  name           text not null,
  created_at     timestamptz not null,
  used_at        timestamptz
);
create index passkeys_user on passkeys (user_id);
grant insert, update, delete on passkeys to kitlane_system;

-- What a passkey has to sign, as a hash: each is taken once. session_id: who asked; null for a sign-in.
create table passkey_challenges (
  hash        bytea primary key,
  purpose     text not null check (purpose in ('register', 'sign-in', 'prove')),
  session_id  text references sessions (id) on delete cascade,
  expires_at  timestamptz not null,
  check ((purpose = 'sign-in') = (session_id is null))
);
create index passkey_challenges_expiry on passkey_challenges (expires_at);
create index passkey_challenges_session on passkey_challenges (session_id);
grant insert, delete on passkey_challenges to kitlane_system;

-- What a business demands of its members when they sign in.
create table sign_in_policies (
  business_id             text primary key references businesses,
  second_factor_required  boolean not null,
  changed_at              timestamptz not null
);
grant insert, update on sign_in_policies to kitlane_system;

-- A table of its own: an update of tokens tells every process to look the token up again. One row for each token of either
-- kind, written at most once a minute.
create table token_uses (
  token_id  text primary key,
  used_at   timestamptz not null
) with (fillfactor = 50);
grant insert, update on token_uses to kitlane_system;

-- An access covers both modes of a business, so it belongs to no realm: only kitlane_system sees it. user_id has no foreign
-- key, because the record outlives the user.
create table support_accesses (
  id            text primary key,
  business_id   text not null references businesses,
  user_id       text not null,
  reason        text,
  minutes       integer not null check (minutes between 1 and 480),
  requested_at  timestamptz not null,
  -- Null: no approval is needed.
  answer_by     timestamptz,
  approved_by   text,
  started_at    timestamptz,
  ends_at       timestamptz,
  ended_at      timestamptz,
  ended_by      text check (ended_by in ('time', 'operator', 'business')),
  -- Who ended it; null: time.
  ender_id      text,
  sealed        bytea,
  check ((started_at is null) = (ends_at is null)),
  check ((ended_at is null) = (ended_by is null))
);
create index support_accesses_business on support_accesses (business_id, requested_at desc);
create index support_accesses_open on support_accesses (user_id, business_id) where ended_at is null;
grant insert, update on support_accesses to kitlane_system;

-- Every process keeps tokens for some seconds; a change tells all of them at once.
create function tokens_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('kitlane_tokens', new.id);
  return null;
end $$;

create trigger tokens_changed after update on tokens for each row execute function tokens_changed();

comment on column sign_in_failures.ip is 'The place: an IPv4 address, a /64 of IPv6, or a place known to the account.';
