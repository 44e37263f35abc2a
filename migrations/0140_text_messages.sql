-- Reminders as text messages: who agreed to get them, and which rules send them.
create table text_consents (
  realm_id     integer     not null,
  customer_id  bigint      not null,
  -- The number, what was agreed to in words, and from which address.
  sealed       bytea       not null,
  number_hash  bytea       not null,
  source       text        not null check (source in ('page', 'api', 'reply')),
  given_at     timestamptz not null,
  ended_at     timestamptz,
  ended_by     text        check (ended_by in ('person', 'business', 'reply', 'carrier')),
  primary key (realm_id, customer_id),
  foreign key (realm_id, customer_id) references customers on delete cascade,
  check ((ended_at is null) = (ended_by is null))
);
create index text_consents_number on text_consents (realm_id, number_hash);
select kitlane_protect('text_consents', 'select, insert, update, delete');

alter table reminder_rules add column by text not null default 'email' check (by in ('email', 'text'));
alter table reminders add column by text not null default 'email' check (by in ('email', 'text'));
