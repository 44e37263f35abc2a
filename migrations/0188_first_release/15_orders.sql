-- What was ordered for whom, one by one and in bulk, and how orders are found.

create table orders (
  realm_id        integer not null,
  id              text not null,
  seq             bigint not null,
  status          text not null check (status in ('created', 'pending', 'canceled')),
  sku             text not null,
  quantity        integer not null check (quantity > 0),
  first_name      text,
  last_name       text,
  email           text,
  phone           text,
  address         jsonb,
  external_id     text,
  external_tags   text[] not null default '{}',
  notify          boolean not null,
  payment_method  text not null check (payment_method in ('credits', 'card', 'none')),
  payment_status  text not null check (payment_status in ('paid', 'pending', 'refunded', 'canceled')),
  amount_minor    bigint,
  currency        text,
  created_at      timestamptz not null,
  payment_id      text,
  updated_at      timestamptz,
  -- What an order holds of its recipient is sealed: one value a row. The columns in clear are those of earlier versions, until
  -- the job has sealed their rows. By the hash, the orders of an address are found.
  sealed          bytea,
  email_hash      bytea,
  primary key (realm_id, id)
);
create unique index orders_seq on orders (realm_id, seq);
create index orders_created on orders (realm_id, created_at, seq);
create index orders_external_id on orders (realm_id, external_id) where external_id is not null;
create index orders_payment on orders (realm_id, payment_id) where payment_id is not null;
create index orders_updated on orders (realm_id, updated_at) where updated_at is not null;
create index orders_unplaced on orders (realm_id, status, seq) where status <> 'created';
select kitlane_protect('orders', 'select, insert, update');
create policy realms_of_group on orders to kitlane_placement using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
create policy realms_of_reading on orders to kitlane_reading using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
create policy sandbox_only on orders as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');
grant delete on orders to kitlane_app;
grant insert on orders to kitlane_placement;
grant select on orders to kitlane_reading;

-- prices: what a kit cost when the job was asked for.
create table bulk_jobs (
  realm_id        integer not null references realms,
  id              text not null,
  status          text not null check (status in ('queued', 'processing', 'completed', 'canceled', 'failed')),
  payment_method  text not null check (payment_method in ('credits', 'card', 'later')),
  payment_id      text,
  prices          jsonb not null,
  total           integer not null check (total > 0),
  succeeded       integer not null default 0,
  failed          integer not null default 0,
  created_at      timestamptz not null,
  started_at      timestamptz,
  worked_at       timestamptz not null,
  completed_at    timestamptz,
  -- Who started a bulk job, so that the live token that sent test orders reads their job by its ID, as it reads the orders. Null: of before.
  placed_by       text,
  primary key (realm_id, id),
  check (succeeded + failed <= total)
);
-- What the sweep looks for: jobs that are not done and that nobody has worked on for a while.
create index bulk_jobs_open on bulk_jobs (worked_at) where status in ('queued', 'processing');
create index bulk_jobs_listed on bulk_jobs (realm_id, created_at);
select kitlane_protect('bulk_jobs', 'select, insert, update, delete');
create policy sandbox_only on bulk_jobs as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');

-- request: the order to be. It holds a recipient, so it is blanked once the row is done.
create table bulk_rows (
  realm_id       integer not null,
  job_id         text not null,
  "row"          integer not null,
  status         text not null check (status in ('pending', 'created', 'failed')),
  request        jsonb,
  external_id    text,
  order_id       text,
  error_code     text,
  error_message  text,
  sealed         bytea,
  primary key (realm_id, job_id, "row"),
  foreign key (realm_id, job_id) references bulk_jobs on delete cascade,
  constraint bulk_rows_check1 check ((status = 'created') = (order_id is not null)),
  constraint bulk_rows_check2 check ((status = 'failed') = (error_code is not null)),
  constraint bulk_rows_request check ((status = 'pending') = (request is not null or sealed is not null))
);
create index bulk_rows_status on bulk_rows (realm_id, job_id, status, row);
create unique index bulk_rows_order on bulk_rows (realm_id, order_id) where order_id is not null;
select kitlane_protect('bulk_rows', 'select, insert, update, delete');
create policy sandbox_only on bulk_rows as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');

-- Searching by how something begins. Row-level security lets no index help a function such as lower() (it is not marked
-- leakproof), so the text in lower case is kept; "C" makes what begins alike stand together.
-- Of orders it is kept apart and written by a job: three more indexes on orders cost 20 µs of each order placed. What the
-- job has not reached yet, a search reads from the orders themselves.
create table order_terms (
  realm_id  integer not null,
  term      text not null collate "C",
  order_id  text not null
);
create index order_terms_term on order_terms (realm_id, term);
select kitlane_protect('order_terms', 'select, insert, delete');

-- Up to which order.
create table order_terms_done (
  realm_id  integer primary key,
  seq       bigint not null
);
select kitlane_protect('order_terms_done', 'select, insert, update, delete');

create table order_lines (
  realm_id     integer not null,
  order_id     text not null,
  kit_type     text not null,
  quantity     integer not null,
  -- The kit types of an order are told in the order in which they were asked for. Lines from before keep that of their kit types.
  position   smallint not null default 0,
  -- What one kit cost, where an order of several kit types is paid by card. Orders of one kit type divide their amount.
  price_minor  bigint,
  constraint order_items_pkey primary key (realm_id, order_id, kit_type),
  constraint order_items_quantity_check check (quantity > 0)
);
select kitlane_protect('order_lines', 'select, insert');
create policy realms_of_group on order_lines to kitlane_placement using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
create policy realms_of_reading on order_lines to kitlane_reading using (kitlane_in_group(realm_id)) with check (kitlane_in_group(realm_id));
create policy sandbox_only on order_lines as restrictive for delete to kitlane_app using ((select mode from realms) = 'sandbox');
grant delete on order_lines to kitlane_app;
grant insert on order_lines to kitlane_placement;
grant select on order_lines to kitlane_reading;

-- The search index of sealed recipients: hashes of the beginnings of e-mails and names. The job writes it anew for all
-- orders; until it has come to an order, a search does not find it by its recipient, unless it is among the newest.
create table order_finds (
  realm_id  integer not null,
  term      bigint not null,
  order_id  text not null
);
create index order_finds_term on order_finds (realm_id, term);
select kitlane_protect('order_finds', 'select, insert, delete');

create table order_finds_done (
  realm_id     integer primary key,
  -- The number of the last order of the realm that is in the index.
  seq          bigint not null,
  words_seq    bigint not null default 0,
  words_until  bigint
);
select kitlane_protect('order_finds_done', 'select, insert, update, delete');

create view order_items with (security_invoker = true) as
  select realm_id, id as order_id, sku as kit_type, quantity from orders where sku <> 'MIXED'
  union all
  select l.realm_id, l.order_id, l.kit_type, l.quantity
  from order_lines l join orders o on o.realm_id = l.realm_id and o.id = l.order_id where o.sku = 'MIXED';
grant select, insert on order_items to kitlane_app, kitlane_system;
grant insert on order_items to kitlane_placement;
grant select on order_items to kitlane_reading;

-- It cancels rows without emptying what it does not know.
create function empty_done_row() returns trigger language plpgsql as $$
begin
  new.sealed := null;
  return new;
end $$;

create function order_items_added() returns trigger language plpgsql as $$
begin
  insert into order_lines (realm_id, order_id, kit_type, quantity) values (new.realm_id, new.order_id, new.kit_type, new.quantity);
  return new;
end $$;

-- An order that is deleted (in a sandbox) takes its lines and kits with it, as the foreign keys did.
create function order_removed() returns trigger language plpgsql as $$
begin
  delete from order_lines where realm_id = old.realm_id and order_id = old.id;
  delete from kits where realm_id = old.realm_id and order_id = old.id;
  return null;
end $$;

create function order_terms_plain() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and kitlane_plain(new.term) <> new.term then
    insert into order_terms (realm_id, term, order_id) values (new.realm_id, kitlane_plain(new.term), new.order_id);
  elsif tg_op = 'DELETE' and kitlane_plain(old.term) <> old.term then
    delete from order_terms where realm_id = old.realm_id and term = kitlane_plain(old.term) and order_id = old.order_id;
  end if;
  return null;
end $$;

create function tally_orders() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into tallies (realm_id, name, key, amount) values (new.realm_id, 'order', new.status, 1);
  elsif tg_op = 'DELETE' then
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'order', status, -count(*) from removed where status <> 'created' group by 1, 3;
  else
    insert into tallies (realm_id, name, key, amount)
    select realm_id, 'order', status, sum(n) from (
      select realm_id, status, 1 as n from added union all select realm_id, status, -1 from removed) changes
    where status <> 'created' group by 1, 3 having sum(n) <> 0;
  end if;
  return null;
end $$;

create trigger list_changed after update on orders referencing new table as changed for each statement execute function list_changed();
create trigger list_removed after delete on orders referencing old table as changed for each statement execute function list_changed();
create trigger order_removed after delete on orders for each row execute function order_removed();
create trigger orders_date_change before update on orders for each row execute function date_change();
create trigger tally_added after insert on orders for each row when (new.status <> 'created') execute function tally_orders();
create trigger tally_changed after update on orders referencing old table as removed new table as added for each statement execute function tally_orders();
create trigger tally_removed after delete on orders referencing old table as removed for each statement execute function tally_orders();
create trigger empty_done_row before update of status on bulk_rows for each row
  when (new.status <> 'pending' and new.sealed is not null) execute function empty_done_row();
create trigger order_terms_plain_in after insert on order_terms for each row
  when (octet_length(new.term) <> length(new.term)) execute function order_terms_plain();
create trigger order_terms_plain_out after delete on order_terms for each row
  when (octet_length(old.term) <> length(old.term)) execute function order_terms_plain();
create trigger order_items_added instead of insert on order_items for each row execute function order_items_added();
