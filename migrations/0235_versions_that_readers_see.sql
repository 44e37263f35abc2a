-- What readers see of a report. published_versions: those that were ever published; null where an earlier release made the report, and
-- then all that are not newer than what readers see. kept_version: what was published last, and stays readable while a later version
-- waits for a person; kept_vendor_status: what the laboratory had sent then. Null where nothing may be read meanwhile.
alter table reports add column published_versions integer[];
alter table reports alter column published_versions set default '{}';
alter table reports add column kept_version integer;
alter table reports add column kept_vendor_status text;

-- A new version, and the end of a review, hide what was kept; whoever writes a version says afterwards that it may stay. A process of the
-- release before does not say it, so nothing that it takes back can be read.
create function note_published() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    if new.published_versions is null and old.status = 'published' then
      new.published_versions := array(select generate_series(1, old.version));
    end if;
    if new.status <> 'inReview' or new.version <> old.version then
      new.kept_version := null;
      new.kept_vendor_status := null;
    end if;
  end if;
  if new.status = 'published' and (tg_op = 'UPDATE' or new.published_versions is not null) then
    if new.published_versions is null then
      new.published_versions := array(select v.version from report_versions v
        where v.realm_id = new.realm_id and v.report_id = new.id and v.version < new.version and v.created_at <= old.published_at
        order by v.version);
    end if;
    if new.version <> all (new.published_versions) then
      new.published_versions := new.published_versions || new.version;
    end if;
  end if;
  return new;
end $$;
create trigger reports_note_published before insert or update on reports for each row execute function note_published();
