-- Whether a provider approves each order of a panel before its kits are made.
alter table panels add column provider_needed boolean not null default false;

-- approval_state: waiting, approved or refused; null: nobody has to approve the order. approval: how it is paid once it is approved, and
-- who decided, as it was on that day. sealed_approval: the reason, in the provider's words.
alter table orders
  add column approval_state text,
  add column approval jsonb,
  add column sealed_approval bytea;

-- Who may approve orders. licensed_in: ISO 3166 countries and regions (US-NY).
create table providers (
  id           text primary key,
  name         text not null,
  npi          text not null unique check (npi ~ '^\d{10}$'),
  licensed_in  text[] not null,
  email        text not null,
  is_active    boolean not null,
  created_at   timestamptz not null,
  changed_at   timestamptz not null
);
create unique index providers_email on providers (lower(email));
grant insert, update, delete on providers to kitlane_system;
