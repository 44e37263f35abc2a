-- What comes in about people: data that a business adds, files, and laboratories' messages.
-- Machines and staff of the operator: a token of its own kind, of no realm.
create table operator_tokens (
  id          text primary key,
  hash        bytea not null unique,
  hint        text not null,
  name        text not null,
  scopes      text[] not null,
  created_at  timestamptz not null,
  expires_at  timestamptz,
  revoked_at  timestamptz
);
grant select, insert, update on operator_tokens to kitlane_system;

-- The laboratory's number of a sample, scanned when it arrives.
alter table kits add column accession text;
create unique index kits_accession on kits (accession) where accession is not null;

create table customer_data (
  realm_id     integer not null references realms,
  id           text not null,
  customer_id  bigint not null,
  kind         text not null check (kind in ('quiz', 'test', 'file')),
  date         date not null,
  payload      jsonb not null,
  created_at   timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, customer_id) references customers on delete cascade
);
create index customer_data_customer on customer_data (realm_id, customer_id, date);
select kitlane_protect('customer_data', 'select, insert, update, delete');

-- The original stays for whoever reviews what was read from it.
create table documents (
  realm_id     integer not null,
  id           text not null,
  data_id      text not null,
  file_name    text,
  media_type   text not null,
  content      bytea not null,
  created_at   timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, data_id) references customer_data on delete cascade
);
select kitlane_protect('documents', 'select, insert, delete');

create table file_jobs (
  realm_id     integer not null,
  id           text not null,
  data_id      text not null,
  status       text not null check (status in ('pending', 'processing', 'completed', 'failed')),
  result       jsonb,
  error        jsonb,
  created_at   timestamptz not null,
  finished_at  timestamptz,
  primary key (realm_id, id),
  foreign key (realm_id, data_id) references customer_data on delete cascade,
  check ((status = 'completed') = (result is not null)),
  check ((status = 'failed') = (error is not null))
);
select kitlane_protect('file_jobs', 'select, insert, update, delete');

-- Laboratories' messages that no kit could be found for, or that a person has to look at. They belong to no realm until then.
create table lab_messages (
  id           text primary key,
  source       text not null,
  format       text not null,
  fingerprint  bytea not null unique,
  accession    text,
  parsed       jsonb not null,
  reason       text not null,
  status       text not null check (status in ('waiting', 'assigned', 'discarded')),
  kit_id       text,
  received_at  timestamptz not null,
  closed_at    timestamptz
);
create index lab_messages_waiting on lab_messages (received_at) where status = 'waiting';
grant select, insert, update on lab_messages to kitlane_system;

-- A report may come from data that a business added, not only from a kit.
alter table reports add column data_id text;
alter table reports add foreign key (realm_id, data_id) references customer_data;
create index reports_data on reports (realm_id, data_id) where data_id is not null;
