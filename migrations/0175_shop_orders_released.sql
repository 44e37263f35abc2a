-- The doubts about an order of a shop that a person has decided: it is placed although the shop leaves them open.
alter table shop_orders add column released text[] not null default '{}';
