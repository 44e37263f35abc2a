\set realm random(1, 50)
begin;
with
  paid as (
    update balances set balance = balance - 1 where realm = :realm and kit_type = 'A' and balance >= 1 returning realm),
  ids as (
    select 'O' || substr(md5(random()::text), 1, 12) as order_id, 'K' || substr(md5(random()::text), 1, 12) as kit_id,
      md5(random()::text) as key
    from paid),
  placed as (
    insert into orders (realm, id, email, recipient, status)
    select :realm, order_id, 'a@b.co', '{"first_name":"A","last_name":"B","email":"a@b.co","address":{"street1":"1 Main","city":"SF","state":"CA","zip":"94105","country":"US"}}', 'created' from ids),
  item as (
    insert into items select :realm, order_id, 'A', 1 from ids),
  kit as (
    insert into kits (realm, id, order_id, kit_type, kit_status, sample_status)
    select :realm, kit_id, order_id, 'A', 'preparing', 'awaitingCollection' from ids),
  steps as (
    insert into progress (realm, kit_id, type)
    select :realm, kit_id, step from ids, unnest(array['orderPlaced', 'kitPreparing']) step),
  ledger as (
    insert into ledger_entries (realm, order_id, kit_type, account, amount)
    select :realm, order_id, 'A', entry.account, entry.amount from ids, (values ('wallet', -1), ('spent', 1)) entry (account, amount)),
  event as (
    insert into events (realm, type, data) select :realm, 'order.created', jsonb_build_object('orderID', order_id) from ids),
  audit as (
    insert into audit_entries (realm, actor, action, object) select :realm, 'tok', 'order.place', order_id from ids)
insert into idempotency_keys select :realm, key, 'x', 201, jsonb_build_object('orderId', order_id) from ids;
commit;
