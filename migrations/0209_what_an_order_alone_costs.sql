-- Two functions that run for each order do not repeat what stays the same.

-- The system identifier stands in a file, which took 20 µs to read and check. A connection is one to one cluster.
create or replace function kitlane_xact() returns xid8 language plpgsql as $$
declare
  here bigint := nullif(current_setting('kitlane.cluster', true), '');
  era integer;
begin
  if here is null then
    here := (pg_control_system()).system_identifier;
    perform set_config('kitlane.cluster', here::text, false);
  end if;
  select number into era from transaction_era where cluster = here;
  if era is null then
    -- One of those who find this at once does it; the others wait for its commit.
    update transaction_era set number = number + 1, cluster = here where cluster <> here;
    select number into era from transaction_era;
  end if;
  return ((era::bigint << 48) + pg_current_xact_id()::text::bigint)::text::xid8;
end $$;

-- An insert of no rows runs the triggers of webhook_deliveries, too: most businesses have no endpoint.
create or replace function events_fan_out() returns trigger language plpgsql as $$
begin
  if not exists (select from added e join webhook_endpoints w on w.realm_id = e.realm_id) then
    return null;
  end if;
  insert into webhook_deliveries (realm_id, id, endpoint_id, event_id, status, due_at, created_at, subject, order_id, position)
  select e.realm_id, 'del_' || replace(gen_random_uuid()::text, '-', ''), w.id, e.id, 'pending', e.occurred_at, e.occurred_at,
    case when w.ordering = 'kit' then coalesce(e.kit_id, e.order_id) end, case when w.ordering = 'kit' then e.order_id end,
    case when w.ordering = 'kit' then e.position end
  from added e join webhook_endpoints w on w.realm_id = e.realm_id
  where e.type <> 'webhook.test' and (w.events is null or e.type = any(w.events));
  return null;
end $$;
