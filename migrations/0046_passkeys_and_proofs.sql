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
grant select, insert, update, delete on passkeys to kitlane_system;

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
grant select, insert, delete on passkey_challenges to kitlane_system;

-- What a business demands of its members when they sign in.
create table sign_in_policies (
  business_id             text primary key references businesses,
  second_factor_required  boolean not null,
  changed_at              timestamptz not null
);
grant select, insert, update on sign_in_policies to kitlane_system;

-- The version before fills none of them: its sessions proved themselves when they began, from a place that is not known.
alter table sessions
  add column proved_at         timestamptz,
  -- The same with the second factor of the account.
  add column factor_proved_at  timestamptz,
  -- The browser in words, and the network that it was last seen in.
  add column browser           text,
  add column network           text;
