-- Alarms, and reviews of who has access.

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
grant insert, update on alarms to kitlane_system;

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
grant insert, update, delete on alarm_counts to kitlane_system;

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
grant insert on access_reviews to kitlane_system;
