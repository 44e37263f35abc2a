-- Single sign-on with OpenID Connect: a business, or the operator, signs its people in at its own identity provider.

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
  created_at         timestamptz not null
);
create index sso_connections_business on sso_connections (business_id);
create index sso_connections_emergency on sso_connections (emergency_user_id);
grant select, insert, update, delete on sso_connections to kitlane_system;

-- Several may claim a domain; one has it.
create table sso_domains (
  connection_id  text not null references sso_connections on delete cascade,
  domain         text not null check (domain = lower(domain)),
  verified_at    timestamptz,
  primary key (connection_id, domain)
);
create unique index sso_domains_verified on sso_domains (domain) where verified_at is not null;
grant select, insert, update, delete on sso_domains to kitlane_system;

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
grant select, insert, update, delete on sso_identities to kitlane_system;

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
grant select, insert, delete on sso_attempts to kitlane_system;

-- A session that a provider began reaches the side of that provider, and ends with the connection.
alter table sessions add column sso_connection_id text;
alter table sessions add constraint sessions_sso_connection
  foreign key (sso_connection_id) references sso_connections on delete cascade not valid;
create index sessions_sso_connection on sessions (sso_connection_id) where sso_connection_id is not null;

-- The connection whose groups gave the role; null: a person did.
alter table memberships add column sso_connection_id text;
alter table memberships add constraint memberships_sso_connection
  foreign key (sso_connection_id) references sso_connections on delete set null not valid;
create index memberships_sso_connection on memberships (sso_connection_id) where sso_connection_id is not null;
