-- failed_at: the refund was refused, or it came back from the bank, so that nothing of it counts.
-- settled_at, settled_reason: a person said what became of the credits that wait.
alter table refunds add column failed_at timestamptz;
alter table payment_reversals add column settled_at timestamptz, add column settled_reason text;
-- What went back at the payment provider of an order that is still paid.
alter table orders add column refunded_minor bigint;
