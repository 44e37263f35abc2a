-- The prepaid credits of each realm.

-- The two balances that are spent from. Neither can be negative, and each equals the sum of its transfers (verify-ledger).
create table credit_balances (
  realm_id      integer not null references realms,
  kit_type      text not null references panels,
  available     bigint not null check (available >= 0),
  reserved      bigint not null default 0 check (reserved >= 0),
  -- Below it a top-up is wanted; null where the top-up is off. It stands with the balance so that orders need no other table.
  top_up_below  bigint,
  primary key (realm_id, kit_type)
);
create index credit_balances_top_up on credit_balances (realm_id, kit_type) where top_up_below is not null;
select kitlane_protect('credit_balances', 'select, insert, update');
create policy realms_of_group on credit_balances to kitlane_placement using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
grant select, update on credit_balances to kitlane_placement;

-- A transfer is a double entry: `amount` leaves one account and enters the other, so the sum over all accounts is always zero.
-- issued: what the operator gave out (its balance is minus that). spent: what orders used.
create table credit_transfers (
  realm_id         integer not null,
  seq              bigint not null,
  kit_type         text not null,
  kind             text not null,
  from_account     text not null,
  to_account       text not null,
  amount           bigint not null check (amount > 0),
  available_after  bigint not null,
  order_id         text,
  note             text,
  actor            text not null,
  at               timestamptz not null,
  job_id           text,
  payment_id       text,
  primary key (realm_id, seq),
  constraint credit_transfers_kinds check ((kind, from_account, to_account) in ( ('grant', 'issued', 'available'), ('purchase', 'issued', 'available'), ('revoke', 'available', 'issued'), ('order', 'available', 'spent'), ('refund', 'spent', 'available'), ('reserve', 'available', 'reserved'), ('capture', 'reserved', 'spent'), ('release', 'reserved', 'available')))
);
create unique index credit_transfers_once on credit_transfers (realm_id, order_id, kit_type, kind) where kind in ('order', 'capture', 'refund');
create index credit_transfers_job on credit_transfers (realm_id, job_id) where job_id is not null;
select kitlane_protect('credit_transfers', 'select, insert');
create policy realms_of_group on credit_transfers to kitlane_placement using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
grant insert on credit_transfers to kitlane_placement;

-- How the ledger stood when it was added up last.
create table ledger_checks (
  at  timestamptz primary key,
  ok  boolean not null
);
grant insert, delete on ledger_checks to kitlane_system;
