-- The pages for whoever is tested: a link in an e-mail is their way in, and a registration is kept while it is filled in.
-- Of links and sessions only the hash is kept (256 random bits each). A link alone shows nothing: it asks for the date of birth.
create table personal_links (
  realm_id      integer not null references realms,
  hash          bytea not null unique,
  customer_id   bigint not null,
  created_at    timestamptz not null,
  expires_at    timestamptz not null,
  wrong_tries   integer not null default 0,
  locked_until  timestamptz,
  -- The person asked for it on the page: of those there are only a few a day.
  is_renewal    boolean not null,
  primary key (realm_id, hash),
  foreign key (realm_id, customer_id) references customers on delete cascade
);
create index personal_links_customer on personal_links (realm_id, customer_id, created_at);
create index personal_links_expiry on personal_links (expires_at);
select kitlane_protect('personal_links', 'select, insert, update, delete');

create table personal_sessions (
  realm_id     integer not null references realms,
  hash         bytea not null unique,
  link_hash    bytea not null,
  -- The date of birth was right.
  is_verified  boolean not null,
  expires_at   timestamptz not null,
  primary key (realm_id, hash),
  foreign key (realm_id, link_hash) references personal_links on delete cascade
);
create index personal_sessions_link on personal_sessions (realm_id, link_hash);
create index personal_sessions_expiry on personal_sessions (expires_at);
select kitlane_protect('personal_sessions', 'select, insert, delete');

-- What somebody has typed so far, sealed with the key of this installation, under the hash of a cookie.
create table registration_drafts (
  realm_id    integer not null references realms,
  kit_id      text not null,
  visitor     bytea not null,
  sealed      bytea not null,
  expires_at  timestamptz not null,
  primary key (realm_id, kit_id, visitor),
  foreign key (realm_id, kit_id) references kits on delete cascade
);
create index registration_drafts_expiry on registration_drafts (expires_at);
select kitlane_protect('registration_drafts', 'select, insert, update, delete');

-- A new link is asked for by an e-mail, whichever business it is known to.
create index customers_email_of_all on customers (lower(email)) where email is not null;
