-- The role that places orders in groups is named after what it does: kitlane_placement. It may do exactly what
-- kitlane_intake may, which stays until no process of the version before is left.
do $$ begin
  if not exists (select from pg_roles where rolname = 'kitlane_placement') then
    create role kitlane_placement nosuperuser nobypassrls noinherit nocreatedb nocreaterole;
  end if;
exception when duplicate_object or unique_violation then null; end $$;
do $$ begin
  if not exists (select from pg_auth_members m join pg_roles r on r.oid = m.roleid join pg_roles u on u.oid = m.member
                 where r.rolname = 'kitlane_placement' and u.rolname = 'kitlane_app') then
    grant kitlane_placement to kitlane_app;
  end if;
end $$;
grant usage on schema public to kitlane_placement;
do $$ declare p record; begin
  for p in select tablename, policyname from pg_policies where schemaname = 'public' and 'kitlane_intake' = any(roles) loop
    execute format('alter policy %I on %I to kitlane_intake, kitlane_placement', p.policyname, p.tablename);
  end loop;
  for p in select c.relname, a.privilege_type from pg_class c cross join aclexplode(c.relacl) a join pg_roles r on r.oid = a.grantee
           where c.relnamespace = 'public'::regnamespace and r.rolname = 'kitlane_intake' loop
    execute format('grant %s on %I to kitlane_placement', p.privilege_type, p.relname);
  end loop;
end $$;
grant update (number, cluster) on transaction_era to kitlane_placement;
