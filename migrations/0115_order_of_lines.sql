-- The kit types of an order are told in the order in which they were asked for. Lines from before keep that of their kit types.
alter table order_lines add column position smallint not null default 0;
