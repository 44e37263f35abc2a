-- Questions that the audit answers, and what watches it: who saw a person's data, a stream to other systems, anchors of the
-- seals outside of the database, alarms, and reviews of who has access.

-- A list is one entry that names what it showed. Here these names are found: four bytes of a hash for each. A job
-- writes them behind the requests. An index on audit_entries itself took 40 s for a million entries, and blocked all writers.
-- Without fastupdate, no statement has to tidy up after thousands of others.
create table audit_lists (
  entry_id  bigint primary key,
  objects   integer[] not null
);
create index audit_lists_objects on audit_lists using gin (objects) with (fastupdate = off);
grant select, insert on audit_lists to kitlane_system;
-- Files, and lists that are too long to name what they showed: they showed everything of their kind.
create index audit_entries_files on audit_entries (realm_id, object_type, at) where object_id = '*' and details -> 'ids' is null;

-- How far each reader of the sealed entries has come, in the order of sealing. floor: as in audit_sealing.
-- held_by, held_until: a reader that sends what it reads holds its row meanwhile, without a transaction.
create table audit_readers (
  name        text primary key,
  xact        bigint not null,
  id          bigint not null,
  floor       bigint not null,
  held_by     text,
  held_until  timestamptz
);
insert into audit_readers (name, xact, id, floor) values ('lists', 0, 0, 0), ('stream', 0, 0, 0);
-- Alarms are raised for what happens from now on.
insert into audit_readers (name, xact, id, floor) select 'alarms', xact, id, floor from audit_sealing;
grant select, update on audit_readers to kitlane_system;

-- The ends of the chains at one time, as text: a line for each chain that has grown since the anchor before. digest is the
-- SHA-256 of the anchor before and of this text. It is what is kept outside of the database.
create table audit_anchors (
  number    bigint primary key,
  at        timestamptz not null,
  previous  bytea not null,
  seals     text not null,
  digest    bytea not null unique
);
grant select, insert on audit_anchors to kitlane_system;

-- One row for what happens again and again, until a person acknowledges it. subject: a caller, a network, or a chain.
create table alarms (
  id               text primary key,
  kind             text not null check (kind in ('refusals', 'mass_read', 'new_place', 'broken_seal', 'access_review_due')),
  subject          text not null,
  business_id      text references businesses,
  amount           bigint not null,
  raised_at        timestamptz not null,
  last_at          timestamptz not null,
  acknowledged_at  timestamptz,
  acknowledged_by  text
);
create unique index alarms_open on alarms (kind, subject) where acknowledged_at is null;
create index alarms_raised on alarms (raised_at);
grant select, insert, update on alarms to kitlane_system;

-- What alarms are counted from, by minute. first_entry: the first audit entry of that minute, from where a second look begins.
create table alarm_counts (
  kind         text not null,
  subject      text not null,
  minute       timestamptz not null,
  amount       bigint not null,
  first_entry  bigint not null,
  primary key (kind, subject, minute)
);
create index alarm_counts_minute on alarm_counts (minute);
grant select, insert, update, delete on alarm_counts to kitlane_system;

-- Who confirmed that everybody who has access should have it. sha256: of the list of rights that was shown.
create table access_reviews (
  id           text primary key,
  at           timestamptz not null,
  reviewed_by  text not null,
  sha256       bytea not null,
  users        integer not null,
  tokens       integer not null,
  note         text
);
create index access_reviews_at on access_reviews (at);
grant select, insert on access_reviews to kitlane_system;
