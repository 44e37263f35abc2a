-- A business may let the people who were tested order a panel again from their report, paid with its credits. A row is the latest
-- such order of a person and panel: who orders locks it, so that two taps make one order. It says nothing of what was found.
alter table realms add column retest_panels text[] not null default '{}';
grant update (retest_panels) on realms to kitlane_app;

create table retests (
  realm_id     integer not null references realms,
  customer_id  bigint not null,
  kit_type     text not null,
  -- Null before the first one, and once the order is gone.
  order_id     text,
  -- When it could not be placed for lack of credits, the last time: the business is told once a day.
  refused_at   timestamptz,
  primary key (realm_id, customer_id, kit_type),
  foreign key (realm_id, customer_id) references customers on delete cascade,
  foreign key (realm_id, order_id) references orders on delete set null (order_id)
);
create index retests_order on retests (realm_id, order_id);
select kitlane_protect('retests', 'select, insert, update, delete');
