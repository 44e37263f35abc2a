-- The search index of orders is written behind them, and cost 65 µs an order. Its unique index was read before each row was
-- written; a row that is there twice does no harm. The index holds no order: rows with the same term share an entry.
alter table order_terms drop constraint order_terms_pkey;
create index order_terms_term on order_terms (realm_id, term);
-- The job finds realms in realm_counters.
alter table order_terms_done drop constraint order_terms_done_realm_id_fkey;

-- The job writes terms in their plain form. The triggers remain for a process of the version before; they look at a term's
-- length instead of matching it, and leave a term that is plain already, such as 李.
create or replace function order_terms_plain() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' and kitlane_plain(new.term) <> new.term then
    insert into order_terms (realm_id, term, order_id) values (new.realm_id, kitlane_plain(new.term), new.order_id);
  elsif tg_op = 'DELETE' and kitlane_plain(old.term) <> old.term then
    delete from order_terms where realm_id = old.realm_id and term = kitlane_plain(old.term) and order_id = old.order_id;
  end if;
  return null;
end $$;
drop trigger order_terms_plain_in on order_terms;
drop trigger order_terms_plain_out on order_terms;
create trigger order_terms_plain_in after insert on order_terms for each row
  when (octet_length(new.term) <> length(new.term)) execute function order_terms_plain();
create trigger order_terms_plain_out after delete on order_terms for each row
  when (octet_length(old.term) <> length(old.term)) execute function order_terms_plain();
