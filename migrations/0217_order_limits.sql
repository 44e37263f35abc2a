-- Where the kits of a panel may be sent (null: everywhere), where not, both as ISO 3166 countries and regions (US, US-NY), and
-- how many in one order.
alter table panels
  add column offered_in text[],
  add column not_offered_in text[] not null default '{}',
  add column max_per_order integer check (max_per_order between 1 and 1000);
-- Who places the orders of a group asks for them with the prices.
grant select on panels to kitlane_placement;
