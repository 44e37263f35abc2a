-- Roles, tenancy and access. A realm is one business in one mode; every row of business data carries its id, every key
-- begins with it, and row-level security is the second lock behind the WHERE clause.
--
-- kitlane_app     what the program runs as: sees one realm at a time, owns nothing
-- kitlane_system  what it becomes (SET LOCAL ROLE) for the few steps across realms: token lookup, sweeps, administration
do $$ begin
  if not exists (select from pg_roles where rolname = 'kitlane_app') then
    create role kitlane_app nosuperuser nobypassrls noinherit nocreatedb nocreaterole;
  end if;
exception when duplicate_object or unique_violation then null; end $$;
do $$ begin
  if not exists (select from pg_roles where rolname = 'kitlane_system') then
    create role kitlane_system nosuperuser nobypassrls noinherit nocreatedb nocreaterole;
  end if;
exception when duplicate_object or unique_violation then null; end $$;
-- Membership only where it is missing: on a shared server another owner may have granted it already.
do $$ begin
  if not exists (select from pg_auth_members m join pg_roles r on r.oid = m.roleid join pg_roles u on u.oid = m.member
                 where r.rolname = 'kitlane_system' and u.rolname = 'kitlane_app') then
    grant kitlane_system to kitlane_app;
  end if;
  if not pg_has_role(current_user, 'kitlane_app', 'member')
     or not exists (select from pg_auth_members m join pg_roles r on r.oid = m.roleid join pg_roles u on u.oid = m.member
                    where r.rolname = 'kitlane_app' and u.rolname = current_user) then
    execute format('grant kitlane_app to %I', current_user);
  end if;
end $$;
grant usage on schema public to kitlane_app, kitlane_system;

-- The realm of this transaction; null (no row matches) when none is set. SET LOCAL leaves '' behind, hence nullif.
create function kitlane_realm() returns integer language sql stable
  return nullif(current_setting('kitlane.realm', true), '')::integer;

-- Locks a table to its realm: row-level security, also for the owner, and the grants named.
create function kitlane_protect(tbl regclass, privileges text) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tbl);
  execute format('alter table %s force row level security', tbl);
  execute format('create policy realm on %s to kitlane_app using (realm_id = kitlane_realm()) with check (realm_id = kitlane_realm())', tbl);
  execute format('create policy every_realm on %s to kitlane_system using (true) with check (true)', tbl);
  execute format('grant %s on %s to kitlane_app, kitlane_system', privileges, tbl);
end $$;
revoke execute on function kitlane_protect from public;

create table businesses (
  id          text primary key,
  name        text not null,
  created_at  timestamptz not null
);

create table realms (
  id                     integer generated always as identity primary key,
  business_id            text not null references businesses,
  mode                   text not null check (mode in ('live', 'sandbox')),
  publishing             text not null default 'manual' check (publishing in ('manual', 'auto')),
  insufficient_credits   text not null default 'charge' check (insufficient_credits in ('charge', 'pending', 'reject')),
  purchasing_enabled     boolean not null default true,
  uploads_enabled        boolean not null default false,
  require_consent        boolean not null default false,
  low_credit_threshold   integer check (low_credit_threshold >= 0),
  rate_limit_per_minute  integer not null default 6000 check (rate_limit_per_minute > 0),
  unique (business_id, mode)
);

alter table businesses enable row level security;
alter table businesses force row level security;
alter table realms enable row level security;
alter table realms force row level security;
create policy realm on realms to kitlane_app using (id = kitlane_realm()) with check (id = kitlane_realm());
create policy every_realm on realms to kitlane_system using (true) with check (true);
-- The inner select is itself limited to the current realm.
create policy realm on businesses for select to kitlane_app using (id = (select business_id from realms));
create policy every_realm on businesses to kitlane_system using (true) with check (true);
grant select on businesses to kitlane_app;
grant select, update (publishing, insufficient_credits, purchasing_enabled, require_consent, low_credit_threshold) on realms to kitlane_app;
grant select, insert, update on businesses, realms to kitlane_system;

-- Gapless numbers per realm, so that a page of a list is a range scan (no OFFSET, no count).
create table realm_counters (
  realm_id   integer primary key references realms,
  orders     bigint not null default 0,
  kits       bigint not null default 0,
  customers  bigint not null default 0,
  transfers  bigint not null default 0
);
select kitlane_protect('realm_counters', 'select, insert, update');

-- Only the hash is kept: 32 random base62 characters (190 bits) need no slow hash.
create table tokens (
  realm_id    integer not null references realms,
  id          text not null,
  hash        bytea not null unique,
  hint        text not null,
  name        text not null,
  scopes      text[] not null,
  created_at  timestamptz not null,
  expires_at  timestamptz,
  revoked_at  timestamptz,
  primary key (realm_id, id)
);
select kitlane_protect('tokens', 'select, insert, update');

-- Every process keeps tokens for some seconds; a change tells all of them at once.
create function tokens_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('kitlane_tokens', new.id);
  return null;
end $$;
create trigger tokens_changed after update on tokens for each row execute function tokens_changed();

create table users (
  id             text primary key,
  business_id    text references businesses,
  email          text not null,
  password_hash  text not null,
  role           text not null check (role in ('operator', 'business')),
  created_at     timestamptz not null,
  check ((role = 'business') = (business_id is not null))
);
create unique index users_email on users (lower(email));
grant select, insert, update on users to kitlane_system;

create table idempotency_keys (
  realm_id     integer not null references realms,
  key          text not null,
  fingerprint  bytea not null,
  status       smallint,
  headers      jsonb,
  body         text,
  created_at   timestamptz not null,
  primary key (realm_id, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);
select kitlane_protect('idempotency_keys', 'select, insert, update, delete');
