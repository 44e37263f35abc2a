-- Orders that a shop had before it was connected are placed only where a person asks for them.
alter table shops add column connected_at timestamptz;
alter table shop_orders add column requested boolean not null default false;
