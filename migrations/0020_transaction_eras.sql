-- Numbers of transactions outlive the cluster that gave them: a restored dump and a promoted logical copy hold rows whose
-- numbers are ahead of what the new cluster counts, and whoever compares the two hides rows for good. So the clusters that
-- the data has lived in are counted, too: an era for each, in the upper 16 bits of what rows keep (2^48 transactions an era).
-- cluster: the system identifier. A standby keeps it and goes on counting; a new cluster of any kind has another.
create table transaction_era (
  one      boolean primary key default true check (one),
  number   integer not null,
  cluster  bigint not null
);
grant select on transaction_era to kitlane_app, kitlane_system, kitlane_intake, kitlane_reading;
-- Whoever writes first in another cluster begins its era.
grant update (number, cluster) on transaction_era to kitlane_app, kitlane_system, kitlane_intake;

-- The number of this transaction, above those of every era before.
create function kitlane_xact() returns xid8 language plpgsql as $$
declare
  here bigint := (pg_control_system()).system_identifier;
  era integer;
begin
  select number into era from transaction_era where cluster = here;
  if era is null then
    -- One of those who find this at once does it; the others wait for its commit.
    update transaction_era set number = number + 1, cluster = here where cluster <> here;
    select number into era from transaction_era;
  end if;
  return ((era::bigint << 48) + pg_current_xact_id()::text::bigint)::text::xid8;
end $$;

-- Every transaction below this one has ended: of eras before, all have.
create function kitlane_settled() returns xid8 language sql stable as $$
  select case when e.cluster = c.system_identifier
    then ((e.number::bigint << 48) + pg_snapshot_xmin(pg_current_snapshot())::text::bigint)::text::xid8
    else ((e.number + 1)::bigint << 48)::text::xid8 end
  from transaction_era e, pg_control_system() c
$$;

-- Where numbers are ahead already, this cluster is the second: the events that it has written go where they belong, after
-- those of the first, and counts are made anew.
-- Against the rule: rows that are there are changed in batches, because it is seldom, and then they are few: those since
-- the restore.
do $$ declare
  here xid8 := pg_snapshot_xmax(pg_current_snapshot());
  is_second boolean;
begin
  set local role kitlane_system;
  is_second := exists (select from events where xact >= here) or exists (select from list_counts where seen > here);
  reset role;
  insert into transaction_era (number, cluster) select is_second::int, system_identifier from pg_control_system();
  if not is_second then return; end if;
  grant update (xact) on events to kitlane_system;
  set local role kitlane_system;
  update events set xact = ((1::bigint << 48) + xact::text::bigint)::text::xid8
  where xact < here and position > (select max(position) from events where xact >= here);
  delete from list_counts;
  reset role;
  revoke update (xact) on events from kitlane_system;
end $$;

alter table events alter column xact set default kitlane_xact();
alter table list_changes alter column xact set default kitlane_xact();
