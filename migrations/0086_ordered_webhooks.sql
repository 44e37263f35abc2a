-- An endpoint may ask for the events of a kit in their order, and for no more than some deliveries a second.
alter table webhook_endpoints
  add column ordering text not null default 'none' check (ordering in ('none', 'kit')),
  add column rate_limit integer check (rate_limit between 1 and 1000),
  -- Until when the deliveries that were claimed use up the limit.
  add column paced_until timestamptz;
create index webhook_endpoints_paced on webhook_endpoints (realm_id, id) where ordering <> 'none' or rate_limit is not null;

-- subject: the kit of the event, or its order if it has no kit. Only deliveries in an order have one: those that a person
-- sends again do not. It is not sent while an earlier one of the same subject, or of the kit's order, is pending.
alter table webhook_deliveries add column subject text, add column order_id text, add column position bigint;
create index webhook_deliveries_subject on webhook_deliveries (realm_id, endpoint_id, subject, position)
  where status = 'pending' and subject is not null;

create or replace function events_fan_out() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (realm_id, id, endpoint_id, event_id, status, due_at, created_at, subject, order_id, position)
  select e.realm_id, 'del_' || replace(gen_random_uuid()::text, '-', ''), w.id, e.id, 'pending', e.occurred_at, e.occurred_at,
    case when w.ordering = 'kit' then coalesce(e.kit_id, e.order_id) end, case when w.ordering = 'kit' then e.order_id end,
    case when w.ordering = 'kit' then e.position end
  from added e join webhook_endpoints w on w.realm_id = e.realm_id
  where e.type <> 'webhook.test' and (w.events is null or e.type = any(w.events));
  return null;
end $$;
