-- Concurrently: deliveries that failed are few among those of a month: whoever looks for them reads no others.
create index concurrently if not exists webhook_deliveries_failed on webhook_deliveries (realm_id, endpoint_id, created_at desc, id)
  where status = 'failed';
