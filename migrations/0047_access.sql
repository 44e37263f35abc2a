-- Tokens: where they may be used from, which one replaced them, and when they were last used. The operator's access to a
-- business: with a reason, for a limited time.

-- Addresses and networks (CIDR); null: from anywhere. replaced_by: the token that a rotation made.
alter table tokens          add column addresses text[], add column replaced_by text;
alter table operator_tokens add column addresses text[], add column replaced_by text;

-- A table of its own: an update of tokens tells every process to look the token up again. One row for each token of either
-- kind, written at most once a minute.
create table token_uses (
  token_id  text primary key,
  used_at   timestamptz not null
) with (fillfactor = 50);
grant select, insert, update on token_uses to kitlane_system;

-- Whether an administrator of the business approves before somebody of the operator enters.
alter table businesses add column approves_support boolean not null default false;

-- An access covers both modes of a business, so it belongs to no realm: only kitlane_system sees it. user_id has no foreign
-- key, because the record outlives the user.
create table support_accesses (
  id            text primary key,
  business_id   text not null references businesses,
  user_id       text not null,
  reason        text not null,
  minutes       integer not null check (minutes between 1 and 480),
  requested_at  timestamptz not null,
  -- Null: no approval is needed.
  answer_by     timestamptz,
  approved_by   text,
  started_at    timestamptz,
  ends_at       timestamptz,
  ended_at      timestamptz,
  ended_by      text check (ended_by in ('time', 'operator', 'business')),
  -- Who ended it; null: time.
  ender_id      text,
  check ((started_at is null) = (ends_at is null)),
  check ((ended_at is null) = (ended_by is null))
);
create index support_accesses_business on support_accesses (business_id, requested_at desc);
create index support_accesses_open on support_accesses (user_id, business_id) where ended_at is null;
grant select, insert, update on support_accesses to kitlane_system;
