-- Files are kept outside of the database, in a folder or in object storage: see src/platform/files.
-- Which store it is. Each process compares it with the mark in the store, so that none writes to another one.
create table file_store (
  is_only     boolean primary key default true check (is_only),
  id          text not null,
  created_at  timestamptz not null default clock_timestamp(),
  -- Files that were named on this day or before, and belong to no row, are gone.
  swept_until date not null default (clock_timestamp() at time zone 'UTC')::date - 2
);
grant select, insert on file_store to kitlane_app;
grant select, insert, update on file_store to kitlane_system;

create table files (
  realm_id   integer not null references realms,
  -- The day and a random ID.
  name       text not null unique check (name ~ '^\d{4}-\d\d-\d\d/[\w-]+$'),
  -- Of the sealed bytes, as the store has them.
  sha256     bytea not null check (octet_length(sha256) = 32),
  bytes      integer not null check (bytes > 0),
  data_key   integer not null,
  stored_at  timestamptz not null,
  -- Nothing refers to it any more: a job deletes it from the store, then this row.
  dropped_at timestamptz,
  primary key (realm_id, name)
);
select kitlane_protect('files', 'select, insert');
grant update (dropped_at) on files to kitlane_app, kitlane_system;
grant delete on files to kitlane_system;
create index files_dropped on files (dropped_at) where dropped_at is not null;

alter table documents add column file text;
alter table documents add constraint documents_file
  foreign key (realm_id, file) references files (realm_id, name) not valid;
alter table documents add constraint documents_stored
  check (file is null or (content is null and sealed_content is null)) not valid;
alter table upload_pages add column file text;
alter table upload_pages add constraint upload_pages_file
  foreign key (realm_id, file) references files (realm_id, name) not valid;
alter table upload_pages add constraint upload_pages_stored
  check (file is null or (image is null and sealed is null)) not valid;
grant update (file) on documents, upload_pages to kitlane_system;

-- The rows whose bytes a job moves to the store; those of processes of the version before among them.
create index documents_unmoved on documents (realm_id, id) where file is null;
create index upload_pages_unmoved on upload_pages (realm_id, document_id, page) where file is null;
-- A file of the store that nothing refers to is dropped, however its row ended.
create function kitlane_drop_file() returns trigger language plpgsql as $$
begin
  update files set dropped_at = clock_timestamp() where realm_id = old.realm_id and name = old.file;
  return null;
end $$;
create trigger documents_deleted after delete on documents
  for each row when (old.file is not null) execute function kitlane_drop_file();
create trigger documents_refiled after update of file on documents
  for each row when (old.file is distinct from new.file and old.file is not null) execute function kitlane_drop_file();
create trigger upload_pages_deleted after delete on upload_pages
  for each row when (old.file is not null) execute function kitlane_drop_file();
create trigger upload_pages_refiled after update of file on upload_pages
  for each row when (old.file is distinct from new.file and old.file is not null) execute function kitlane_drop_file();
