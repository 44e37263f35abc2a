-- Refunds and disputes that were made at the payment provider, each by the provider's ID. credits_taken: what was revoked for it;
-- credits_waiting: what was spent already, so that a person decides.
create table payment_reversals (
  realm_id         integer not null,
  id               text not null,
  payment_id       text not null,
  kind             text not null check (kind in ('refund', 'dispute')),
  state            text not null check (state in ('done', 'failed', 'inquiry', 'open', 'won', 'lost')),
  amount_minor     bigint not null check (amount_minor > 0),
  reason           text,
  credits_taken    integer not null default 0 check (credits_taken >= 0),
  credits_waiting  integer not null default 0 check (credits_waiting >= 0),
  has_credit_note  boolean not null default false,
  created_at       timestamptz not null,
  changed_at       timestamptz not null,
  primary key (realm_id, id),
  foreign key (realm_id, payment_id) references payments on delete cascade
);
create index payment_reversals_payment on payment_reversals (realm_id, payment_id);
select kitlane_protect('payment_reversals', 'select, insert, update, delete');
-- Live ones stay: they are what the money did.
create policy sandbox_only on payment_reversals as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');
