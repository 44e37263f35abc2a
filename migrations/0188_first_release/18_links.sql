-- The ways in of people without an account. Of links and sessions only the hash is kept (256 random bits each). A link alone
-- shows nothing: it asks for the date of birth.

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
grant update (expires_at) on personal_sessions to kitlane_app;

-- Wrong dates of birth, of the last day: they count against the person, whichever link was used, and against the network
-- that they come from, whoever is meant. A new link begins no new count.
create table birth_date_failures (
  realm_id     integer not null references realms,
  customer_id  bigint not null,
  network      text not null,
  at           timestamptz not null,
  -- A wrong date of birth at a link to one report counts against that link: who was given it cannot lock the person out of their
  -- own pages, nor somebody else who was given another link.
  share_hash   bytea,
  foreign key (realm_id, customer_id) references customers on delete cascade
);
create index birth_date_failures_customer on birth_date_failures (realm_id, customer_id, at);
create index birth_date_failures_network on birth_date_failures (network, at);
create index birth_date_failures_at on birth_date_failures (at);
create index birth_date_failures_share on birth_date_failures (share_hash, at) where share_hash is not null;
select kitlane_protect('birth_date_failures', 'select, insert, delete');

-- A person shares one report with a doctor by a link with an end; whoever publishes a report may leave a note; the person says that
-- the sample is posted. A share stands on a personal link: its visits, wrong dates of birth and erasure are the same.
create table report_shares (
  realm_id     integer not null,
  id           text not null,
  link_hash    bytea not null,
  customer_id  bigint not null,
  report_id    text not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  -- Last.
  opened_at    timestamptz,
  sealed       bytea not null,
  primary key (realm_id, id),
  foreign key (realm_id, link_hash) references personal_links on delete cascade,
  foreign key (realm_id, report_id) references reports on delete cascade
);
create unique index report_shares_link on report_shares (realm_id, link_hash);
create index report_shares_report on report_shares (realm_id, report_id);
select kitlane_protect('report_shares', 'select, insert, update, delete');
