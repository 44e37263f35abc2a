-- A process of a version before 0014 knows no `live` and wrote paid kits that the pack queue never showed. The database
-- fills it in. Whoever says true is right already, so that live kits cost nothing.
create function kits_live() returns trigger language plpgsql as $$
begin
  new.live := exists (select from realms where id = new.realm_id and mode = 'live');
  return new;
end $$;
create trigger kits_live before insert on kits for each row when (not new.live) execute function kits_live();
