-- Who may be sent text messages, who said stop, and how many a number was sent.

-- Reminders as text messages: who agreed to get them, and which rules send them.
create table text_consents (
  realm_id     integer not null,
  customer_id  bigint not null,
  -- The number, what was agreed to in words, and from which address.
  sealed       bytea not null,
  number_hash  bytea not null,
  source       text not null check (source in ('page', 'api', 'reply')),
  given_at     timestamptz not null,
  ended_at     timestamptz,
  ended_by     text check (ended_by in ('person', 'business', 'reply', 'carrier')),
  primary key (realm_id, customer_id),
  foreign key (realm_id, customer_id) references customers on delete cascade,
  check ((ended_at is null) = (ended_by is null))
);
create index text_consents_number on text_consents (realm_id, number_hash);
select kitlane_protect('text_consents', 'select, insert, update, delete');

-- STOP holds for a number at every business, since all send from one: also where no consent is kept for it, or its customer was
-- erased. Text messages that nobody scheduled (confirmations, answers to HELP) are counted, so that a number gets few of them.
create table text_stops (
  -- Keyed: the number itself is in no row.
  number_hash  bytea primary key,
  at           timestamptz not null,
  -- A stop that a person set on their page is kept by number too, at that business alone. With the realm beside the hash, the reset of
  -- a sandbox forgets its own.
  said_in      integer
);
grant select, insert, delete on text_stops to kitlane_app;
grant insert, delete on text_stops to kitlane_system;

create table text_counts (
  -- Of the number, or of the customer.
  hash   bytea primary key,
  count  integer not null,
  since  timestamptz not null
);
create index text_counts_since on text_counts (since);
grant select, insert, update on text_counts to kitlane_app;
grant insert, update, delete on text_counts to kitlane_system;
