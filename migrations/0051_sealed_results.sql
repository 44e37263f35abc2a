-- What laboratories and businesses send about people, and what is made of it, is sealed before it reaches SQL. The columns
-- in clear remain for rows of the version before; a job seals such rows and empties these columns, so they may be null.
-- A sealed row holds nothing in clear: a process of the version before, which cannot read it, cannot half change it either.
-- Sealed values are as good as random: to compress them only costs time.

-- A version of a report holds all its results in one value, and in a second, small one what lists and histories read.
alter table report_versions
  alter column axes drop not null, alter column suggestions drop not null, alter column lab_errors drop not null,
  alter column withdrawn drop not null, alter column lab_errors drop default, alter column withdrawn drop default,
  add column sealed bytea, add column sealed_summary bytea,
  alter column sealed set storage external, alter column sealed_summary set storage external;
alter table report_versions add constraint report_versions_sealed
  check (sealed is null or num_nonnulls(axes, suggestions, lab_errors, reason, withdrawn) = 0) not valid;
grant update (axes, suggestions, lab_errors, reason, withdrawn, sealed, sealed_summary) on report_versions to kitlane_system;
grant delete on report_results to kitlane_system;

-- Whether a person has to look at it before others: only while it waits for one.
alter table reports add column is_critical boolean;

-- When the job has sealed a version, its results are in there.
create function results_sealed() returns trigger language plpgsql as $$
begin
  update reports r set is_critical = true
  where r.realm_id = new.realm_id and r.id = new.report_id and r.version = new.version and r.status = 'inReview'
    and exists (select from report_results x
      where x.realm_id = new.realm_id and x.report_id = new.report_id and x.version = new.version
        and x.judged->>'interpretation' in ('LL', 'HH', 'AA'));
  delete from report_results x
  where x.realm_id = new.realm_id and x.report_id = new.report_id and x.version = new.version;
  return null;
end $$;
create trigger results_sealed after update of sealed on report_versions for each row
  when (old.sealed is null and new.sealed is not null) execute function results_sealed();

-- A version keeps the results of the one before that it does not name. A process of the version before sees none of them
-- in a sealed one: it would write a report that lacks them.
create function refuse_unread_results() returns trigger language plpgsql as $$
begin
  if exists (select from report_versions v
    where v.realm_id = new.realm_id and v.report_id = new.report_id and v.sealed is not null) then
    raise exception 'This process is too old to read the earlier versions of report %', new.report_id
      using errcode = 'object_not_in_prerequisite_state';
  end if;
  return new;
end $$;
create trigger refuse_unread_results before insert on report_versions for each row
  when (new.sealed is null) execute function refuse_unread_results();

-- `key_hash`: what comes again under a name is found by it.
alter table unassessed_results
  alter column key drop not null, alter column name drop not null, alter column value drop not null,
  alter column unit drop not null, alter column range drop not null, alter column flag drop not null,
  alter column position drop not null, alter column reason drop not null,
  alter column suggestions drop not null, alter column suggestions drop default,
  add column sealed bytea, add column key_hash bytea;
alter table unassessed_results add constraint unassessed_results_sealed check (
  sealed is null or num_nonnulls(key, name, value, unit, range, flag, loinc, position, reason, suggestions, note) = 0) not valid;

alter table customer_data alter column payload drop not null, add column sealed bytea, alter column sealed set storage external;
alter table customer_data add constraint customer_data_sealed check (sealed is null or payload is null) not valid;

-- The name of a file is read by lists, its bytes by nobody else than who reads the file.
alter table documents
  alter column content drop not null, add column sealed bytea, add column sealed_content bytea,
  alter column sealed_content set storage external;
alter table documents add constraint documents_sealed
  check ((sealed is null or file_name is null) and (sealed_content is null or content is null)) not valid;
grant update (file_name, content, sealed, sealed_content) on documents to kitlane_system;

alter table file_jobs drop constraint file_jobs_check, drop constraint file_jobs_check1, add column sealed bytea;
alter table file_jobs add constraint file_jobs_sealed check (sealed is null or num_nonnulls(result, error) = 0) not valid;

-- What was found in a file is emptied when its review ends; why it was not read, or dismissed, stays.
alter table upload_reviews
  alter column head drop not null, alter column lines drop not null, alter column candidates drop not null,
  alter column head drop default, alter column lines drop default, alter column candidates drop default,
  add column sealed bytea, add column sealed_findings bytea, add column candidate_count integer,
  alter column sealed_findings set storage external;
alter table upload_reviews add constraint upload_reviews_sealed check (
  (sealed is null or num_nonnulls(note, reason) = 0)
  and (sealed_findings is null or num_nonnulls(head, lines, candidates) = 0)) not valid;

alter table upload_pages alter column image drop not null, add column sealed bytea, alter column sealed set storage external;
alter table upload_pages add constraint upload_pages_sealed check (sealed is null or image is null) not valid;
grant update (image, sealed) on upload_pages to kitlane_system;

-- An erasure finds messages that wait by the kit that they name and, by its hash, the date of birth.
alter table lab_messages
  alter column parsed drop not null, add column sealed bytea, add column birth_hash bytea, add column named_kit text,
  add column is_critical boolean, alter column sealed set storage external;
alter table lab_messages add constraint lab_messages_sealed check (sealed is null or parsed is null) not valid;
create index lab_messages_birth_hash on lab_messages (birth_hash) where status = 'waiting';
create index lab_messages_named_kit on lab_messages (named_kit) where status = 'waiting';
