-- An entry cannot be made to look older than it is, or to stand where no seal looks: its ID and transaction come from the database
-- alone, and so does its time where the given one is not the time of now. Negative ones are entries of nobody.
--
-- Processes of the release before name no ID and no transaction, and give the time of now: they keep working.
do $$ declare p record; begin
  for p in select r.rolname from pg_class c cross join aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
           where c.oid = 'audit_entries'::regclass and a.privilege_type = 'INSERT' and a.grantee <> c.relowner loop
    execute format('revoke insert on audit_entries from %I', p.rolname);
    execute format('grant insert (realm_id, at, actor, action, object_type, object_id, request_id, caller_request_id, ip, details)
      on audit_entries to %I', p.rolname);
  end loop;
end $$;

-- Not validated: it need not read what is there, which the verification counts.
alter table audit_entries add constraint audit_entries_counted check (id > 0 and xact > 0) not valid;
-- As in 0071, with the check: a partition without it could not be attached.
create or replace function kitlane_add_audit_month(month date) returns boolean language plpgsql security definer
  set search_path = public, pg_temp set lock_timeout = '100ms' as $$
declare
  part text := 'audit_entries_' || to_char(month, 'YYYY_MM');
begin
  if to_regclass(part) is not null then return false; end if;
  execute format('create table %I (like audit_entries including defaults including storage including constraints)', part);
  perform kitlane_protect(part::regclass, 'select');
  execute format('revoke all on %I from kitlane_app', part);
  execute format('alter table audit_entries attach partition %I for values from (%s) to (%s)', part,
    kitlane_audit_from(month), kitlane_audit_from((month + interval '1 month')::date));
  return true;
exception when check_violation then return false;
end $$;

create function audit_entries_now() returns trigger language plpgsql as $$
begin
  new.at := clock_timestamp();
  return new;
end $$;
-- Five minutes: longer than any transaction of the program, which gives the time of its beginning.
create trigger audit_entries_now before insert on audit_entries for each row
  when (new.at < clock_timestamp() - interval '5 minutes' or new.at > clock_timestamp() + interval '5 minutes')
  execute function audit_entries_now();

-- Words are sealed anew when the key of their realm was replaced, and changed for no other reason: the value that is there must be
-- of an older key, and the new one of the newest.
create function audit_words_resealed() returns trigger language plpgsql as $$
declare
  newest bytea;
begin
  select int4send(id) into newest from data_keys
    where realm_id = old.realm_id and purpose = 'data' and used_from <= clock_timestamp()
    order by used_from desc, id desc limit 1;
  if substring(old.sealed from 2 for 4) = newest or substring(new.sealed from 2 for 4) is distinct from newest then
    raise exception 'The words of the audit are not changed: they are only sealed anew with a new key'
      using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger audit_words_resealed before update on audit_words for each row execute function audit_words_resealed();
