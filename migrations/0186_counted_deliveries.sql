-- The log of deliveries says how many there are: tallies of each endpoint ('delivery' with its ID) say it without reading a
-- month of them. They have those that were made since an hour from now, which no transaction from before these triggers is;
-- older ones are counted by their index, until the last of them is purged.
create table deliveries_tallied (
  is_only  boolean primary key default true check (is_only),
  since    timestamptz not null
);
insert into deliveries_tallied (since) values (clock_timestamp() + interval '1 hour');
grant select on deliveries_tallied to kitlane_app, kitlane_system;
grant select on deliveries_tallied to kitlane_placement;

create function tally_deliveries() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'delivery', endpoint_id, count(*) from added
    where created_at >= (select since from deliveries_tallied) group by 1, 3;
  else
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'delivery', endpoint_id, -count(*) from removed
    where created_at >= (select since from deliveries_tallied) group by 1, 3;
  end if;
  return null;
end $$;
create trigger tally_added after insert on webhook_deliveries referencing new table as added
  for each statement execute function tally_deliveries();
create trigger tally_removed after delete on webhook_deliveries referencing old table as removed
  for each statement execute function tally_deliveries();
