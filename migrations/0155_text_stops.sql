-- STOP holds for a number at every business, since all send from one: also where no consent is kept for it, or its customer was
-- erased. Text messages that nobody scheduled (confirmations, answers to HELP) are counted, so that a number gets few of them.
create table text_stops (
  -- Keyed: the number itself is in no row.
  number_hash bytea       primary key,
  at          timestamptz not null
);
grant select, insert, delete on text_stops to kitlane_app, kitlane_system;

create table text_counts (
  -- Of the number, or of the customer.
  hash  bytea       primary key,
  count integer     not null,
  since timestamptz not null
);
create index text_counts_since on text_counts (since);
grant select, insert, update on text_counts to kitlane_app, kitlane_system;
grant delete on text_counts to kitlane_system;
