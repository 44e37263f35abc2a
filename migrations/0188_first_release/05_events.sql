-- What happened: the outbox that webhooks read.

-- order_id lets the sandbox remove the history of an order with the order.
create table events (
  realm_id     integer not null,
  id           text not null,
  position   bigint generated always as identity,
  type         text not null,
  order_id     text,
  kit_id       text,
  sequence     integer,
  data         jsonb,
  occurred_at  timestamptz not null,
  -- Endpoints of businesses, and what is owed to each.
  -- xact orders the feed: a reader that asks for what came after an event must not miss one that was numbered earlier but
  -- committed later. It shows what was written by transactions older than any that still runs.
  xact         xid8 not null default kitlane_xact(),
  -- Who said it. Null: before this column was.
  actor        text,
  -- `sealed`: all that an event says, if it says anything of a person. `data` then holds the rest of it.
  sealed       bytea,
  primary key (realm_id, id),
  constraint events_says check (num_nonnulls(data, sealed) > 0)
);
create index events_order on events (realm_id, order_id);
create index events_customer on events (realm_id, (data ->> 'id')) where type = 'customer.created';
create unique index events_kit_sequence on events (realm_id, kit_id, sequence) where kit_id is not null;
create index events_feed on events (realm_id, xact, position);
select kitlane_protect('events', 'select, insert');
create policy realms_of_group on events to kitlane_placement using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
create policy sandbox_only on events as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');
grant delete on events to kitlane_app;
grant insert on events to kitlane_placement;
grant update (data, sealed) on events to kitlane_app, kitlane_system;

-- Every event is owed to every endpoint that wants its type, in the transaction that caused it; a disabled endpoint's queue
-- waits. A test event is owed to one endpoint only, by whoever makes it.
create function events_fan_out() returns trigger language plpgsql as $$
begin
  insert into webhook_deliveries (realm_id, id, endpoint_id, event_id, status, due_at, created_at, subject, order_id, position)
  select e.realm_id, 'del_' || replace(gen_random_uuid()::text, '-', ''), w.id, e.id, 'pending', e.occurred_at, e.occurred_at,
    case when w.ordering = 'kit' then coalesce(e.kit_id, e.order_id) end, case when w.ordering = 'kit' then e.order_id end,
    case when w.ordering = 'kit' then e.position end
  from added e join webhook_endpoints w on w.realm_id = e.realm_id
  where e.type <> 'webhook.test' and (w.events is null or e.type = any(w.events));
  return null;
end $$;

create trigger events_fan_out after insert on events referencing new table as added
  for each statement execute function events_fan_out();
