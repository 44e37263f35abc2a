-- Concurrently: what the payment provider reports is found by its own reference.
create index concurrently if not exists payments_reference on payments (gateway_ref) where gateway_ref is not null;
