-- Lists say what changed since a time. Triggers date the changes, so that a process of the version before dates them, too.
-- Null: not changed since it was made. An index on what is null costs nothing when orders are placed.
alter table orders add column updated_at timestamptz;
alter table customers add column updated_at timestamptz;
create index orders_updated on orders (realm_id, updated_at) where updated_at is not null;
create index customers_updated on customers (realm_id, updated_at) where updated_at is not null;
create index customers_created on customers (realm_id, created_at);
create index kits_updated on kits (realm_id, updated_at);

create function date_change() returns trigger language plpgsql as $$
begin
  new.updated_at := now();
  return new;
end $$;
create trigger orders_date_change before update on orders for each row execute function date_change();
create trigger customers_date_change before update on customers for each row execute function date_change();

-- The record of a customer names their reports.
create function date_reports() returns trigger language plpgsql as $$
begin
  update customers set updated_at = now()
  where (realm_id, id) = (coalesce(new.realm_id, old.realm_id), coalesce(new.customer_id, old.customer_id));
  return null;
end $$;
create trigger reports_date_change after insert or update or delete on reports for each row execute function date_reports();
