-- Concurrently: the first page of a business counts the orders of its shops that wait for a person.
create index concurrently if not exists shop_orders_waiting on shop_orders (realm_id, shop_id)
  where status in ('waiting', 'failed');
