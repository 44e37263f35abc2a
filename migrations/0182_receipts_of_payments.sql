-- Concurrently: the receipts of a payment are found by the payment, and not among all of the business.
create index concurrently if not exists receipts_payment on receipts (realm_id, payment_id);
