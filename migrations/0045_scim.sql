-- SCIM 2.0: an identity provider creates, changes and removes the users of its single sign-on, and says who is in which
-- group. A connection has one token for it, of which only the hash is kept.
alter table sso_connections add column scim_token_hash bytea;
alter table sso_connections add column scim_token_at timestamptz;
create unique index sso_connections_scim_token on sso_connections (scim_token_hash) where scim_token_hash is not null;

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
grant select, insert, update, delete on scim_users to kitlane_system;

create table scim_groups (
  id             text primary key,
  connection_id  text not null references sso_connections on delete cascade,
  display_name   text not null,
  external_id    text,
  created_at     timestamptz not null,
  updated_at     timestamptz not null
);
create unique index scim_groups_name on scim_groups (connection_id, lower(display_name));
grant select, insert, update, delete on scim_groups to kitlane_system;

create table scim_members (
  group_id      text not null references scim_groups on delete cascade,
  scim_user_id  text not null references scim_users on delete cascade,
  primary key (group_id, scim_user_id)
);
create index scim_members_user on scim_members (scim_user_id);
grant select, insert, delete on scim_members to kitlane_system;
