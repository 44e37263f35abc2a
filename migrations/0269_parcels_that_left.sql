-- parcels: those that left, as the warehouse names them; null where none has.
alter table warehouse_orders add column parcels jsonb;
