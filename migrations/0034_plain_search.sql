-- Somebody who types garcia means García. What is searched keeps a second form of names that are not plain ASCII: without
-- accents, in lower case. Triggers write it, so that a process of the version before keeps it right too. Other names have
-- no second form, and cost nothing more.

-- lower(x) for plain ASCII. Letters that are no base letter with a mark are spelled as passports spell them.
create function kitlane_plain(value text) returns text language sql immutable parallel safe as $$
  select case when value ~ '[^\u0001-\u007f]' then
    replace(replace(replace(translate(
      lower(regexp_replace(normalize(value, nfd), '[\u0300-\u036f]', '', 'g')),
      'łŁøØđĐðÐħĦı’', 'lloodddd' || 'hhi'''), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')
  else lower(value) end
$$;

create function order_terms_plain() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into order_terms (realm_id, term, order_id) values (new.realm_id, kitlane_plain(new.term), new.order_id)
      on conflict do nothing;
  else
    delete from order_terms where realm_id = old.realm_id and term = kitlane_plain(old.term) and order_id = old.order_id;
  end if;
  return null;
end $$;
-- Only for the few terms that have another form: the job writes 15,000 terms at once.
create trigger order_terms_plain_in after insert on order_terms for each row
  when (new.term ~ '[^\u0001-\u007f]') execute function order_terms_plain();
create trigger order_terms_plain_out after delete on order_terms for each row
  when (old.term ~ '[^\u0001-\u007f]') execute function order_terms_plain();

-- Null where the name is plain already.
alter table customers
  add column name_plain text collate "C",
  add column last_plain text collate "C";
create function customers_plain() returns trigger language plpgsql as $$
begin
  new.name_plain := nullif(kitlane_plain(new.name), lower(new.name));
  new.last_plain := nullif(
    kitlane_plain(coalesce(new.last_name, substring(new.name from '[^ ]+$'))),
    lower(coalesce(new.last_name, substring(new.name from '[^ ]+$'))));
  return new;
end $$;
create trigger customers_plain before insert or update of name, last_name on customers for each row
  execute function customers_plain();
create index customers_name_plain on customers (realm_id, name_plain) where name_plain is not null;
create index customers_last_plain on customers (realm_id, last_plain) where last_plain is not null;

-- Few rows: only what is not plain. The owner sees none, since row-level security is forced.
set local role kitlane_system;
insert into order_terms (realm_id, term, order_id)
  select realm_id, kitlane_plain(term), order_id from order_terms where term ~ '[^\u0001-\u007f]'
  on conflict do nothing;
update customers set name = name where name || coalesce(last_name, '') ~ '[^\u0001-\u007f]';
reset role;
