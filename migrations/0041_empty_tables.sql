-- Migrations 0009 and 0017 write made-up rows and delete them again, so that no plan is made for an empty table. What they
-- leave is worse: a few pages without a row. From that the planner concludes that every page to come is empty, too, takes
-- any table for one row until autovacuum has been there, and sorts all orders of a business to find the next ten. A table
-- that is written anew is one of unknown density, of which the planner knows the size. Only small tables: a large one was
-- analyzed long ago. No row is lost in any case.
do $$ declare t text; begin
  foreach t in array array['customers', 'orders', 'kits', 'bulk_jobs', 'bulk_rows', 'credit_transfers', 'events',
    'audit_entries', 'webhook_deliveries', 'emails'] loop
    if pg_relation_size(t::regclass) between 1 and 1000000 then
      execute format('cluster %I using %I', t, t || '_pkey');
    end if;
  end loop;
end $$;
