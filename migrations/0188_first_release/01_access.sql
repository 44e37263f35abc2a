-- Who may see what. Every row of business data carries the ID of its realm, every key begins with it, and row-level security is
-- the second lock behind the WHERE clause.
--
-- kitlane_app        what the program runs as: sees one realm at a time, owns nothing
-- kitlane_system     what it becomes (SET LOCAL ROLE) for the few steps across realms: token lookup, sweeps, administration
-- kitlane_placement  places the orders of several realms in one transaction: sees the realms named in kitlane.realms (`,5,12,`)
-- kitlane_reading    reads orders of several realms at once, likewise
grant usage on schema public to kitlane_app, kitlane_system, kitlane_placement, kitlane_reading;
-- A dump reads every table.
alter default privileges in schema public grant select on tables to kitlane_system;
alter default privileges in schema public grant select on sequences to kitlane_system;
grant select on all tables in schema public to kitlane_system;

-- The realm of this transaction; null (no row matches) when none is set. SET LOCAL leaves '' behind, hence nullif.
create function kitlane_realm() returns integer language sql stable
  return nullif(current_setting('kitlane.realm', true), '')::integer;

-- A text search, not an array: it is asked for every row that is written.
create function kitlane_in_group(realm integer) returns boolean language sql stable
  return strpos(current_setting('kitlane.realms', true), ',' || realm || ',') > 0;

create function kitlane_refuse_owner() returns boolean language plpgsql stable as $$
begin
  raise exception 'Row-level security hides every row from the owner of the database, so this would read nothing.'
    using errcode = 'insufficient_privilege',
          hint = 'Make backups with: kitlane backup. For pg_dump add: --role=kitlane_system --enable-row-security';
end $$;

-- Locks a table to its realm: row-level security, also for the owner, and the grants named.
create function kitlane_protect(tbl regclass, privileges text) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tbl);
  execute format('alter table %s force row level security', tbl);
  execute format('create policy realm on %s to kitlane_app using (realm_id = kitlane_realm()) with check (realm_id = kitlane_realm())', tbl);
  execute format('create policy every_realm on %s to kitlane_system using (true) with check (true)', tbl);
  execute format('create policy not_the_owner on %s for select to %I using (kitlane_refuse_owner())', tbl, current_user);
  execute format('grant %s on %s to kitlane_app, kitlane_system', privileges, tbl);
end $$;
revoke execute on function kitlane_protect from public;

-- lower(x) for plain ASCII. Letters that are no base letter with a mark are spelled as passports spell them.
create function kitlane_plain(value text) returns text language sql immutable parallel safe as $$
  select case when value ~ '[^\u0001-\u007f]' then
    replace(replace(replace(translate(
      lower(regexp_replace(normalize(value, nfd), '[\u0300-\u036f]', '', 'g')),
      'łŁøØđĐðÐħĦı’', 'lloodddd' || 'hhi'''), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe')
  else lower(value) end
$$;

-- A group of orders reads balances and numbers without locks, while the group before it is still being written, and claims
-- them with its own writes. If another process was faster, this ends its transaction.
create function kitlane_claimed(same bigint, all_of_them integer) returns void language plpgsql as $$
begin
  if same <> all_of_them then
    raise exception 'rows have changed since they were read' using errcode = 'KT001';
  end if;
end $$;

-- To seal a row changes nothing that anybody asked for.
create function date_change() returns trigger language plpgsql as $$
begin
  if coalesce(current_setting('kitlane.sealing', true), '') <> 'on' then new.updated_at := now(); end if;
  return new;
end $$;
