-- What comes in about people: data that a business adds, files, and laboratories' messages.

create table customer_data (
  realm_id     integer not null references realms,
  id           text not null,
  customer_id  bigint not null,
  kind         text not null check (kind in ('quiz', 'test', 'file')),
  date         date not null,
  payload      jsonb,
  created_at   timestamptz not null,
  -- Whoever says at what time a sample was taken is given that time back: it tells a fasting morning from an evening.
  -- As text, since a timestamp of PostgreSQL forgets the offset. Null where only a day is known; a process of the release
  -- before writes the day alone, so a time counts only where it is of that day.
  given_at     text,
  sealed       bytea,
  primary key (realm_id, id),
  foreign key (realm_id, customer_id) references customers on delete cascade,
  constraint customer_data_sealed check (sealed is null or payload is null)
);
alter table customer_data alter column sealed set storage external;
create index customer_data_customer on customer_data (realm_id, customer_id, date);
select kitlane_protect('customer_data', 'select, insert, update, delete');
alter table reports add foreign key (realm_id, data_id) references customer_data;
alter table unassessed_results add foreign key (realm_id, data_id) references customer_data on delete cascade;
alter table critical_results add foreign key (realm_id, data_id) references customer_data on delete cascade;

-- The original stays for whoever reviews what was read from it.
create table documents (
  realm_id        integer not null,
  id              text not null,
  data_id         text not null,
  file_name       text,
  media_type      text not null,
  content         bytea,
  created_at      timestamptz not null,
  -- The name of a file is read by lists, its bytes by nobody else than who reads the file.
  sealed          bytea,
  sealed_content  bytea,
  file            text,
  primary key (realm_id, id),
  constraint documents_file foreign key (realm_id, file) references files,
  foreign key (realm_id, data_id) references customer_data on delete cascade,
  constraint documents_sealed check ((sealed is null or file_name is null) and (sealed_content is null or content is null)),
  constraint documents_stored check (file is null or (content is null and sealed_content is null))
);
alter table documents alter column sealed_content set storage external;
create index documents_data on documents (realm_id, data_id);
create index documents_unmoved on documents (realm_id, id) where file is null;
select kitlane_protect('documents', 'select, insert, delete');
grant update (file_name, content, sealed, sealed_content, file) on documents to kitlane_system;

create table file_jobs (
  realm_id     integer not null,
  id           text not null,
  data_id      text not null,
  status       text not null check (status in ('pending', 'processing', 'completed', 'failed')),
  result       jsonb,
  error        jsonb,
  created_at   timestamptz not null,
  finished_at  timestamptz,
  sealed       bytea,
  primary key (realm_id, id),
  foreign key (realm_id, data_id) references customer_data on delete cascade,
  constraint file_jobs_sealed check (sealed is null or num_nonnulls(result, error) = 0)
);
create index file_jobs_data on file_jobs (realm_id, data_id);
select kitlane_protect('file_jobs', 'select, insert, update, delete');

-- Laboratories' messages that no kit could be found for, or that a person has to look at. They belong to no realm until then.
create table lab_messages (
  id           text primary key,
  source       text not null,
  format       text not null,
  fingerprint  bytea not null unique,
  accession    text,
  parsed       jsonb,
  reason       text not null,
  status       text not null check (status in ('waiting', 'assigned', 'discarded')),
  kit_id       text,
  received_at  timestamptz not null,
  closed_at    timestamptz,
  -- An erasure finds messages that wait by the kit that they name and, by its hash, the date of birth.
  sealed       bytea,
  birth_hash   bytea,
  named_kit    text,
  is_critical  boolean,
  -- An assignment of a laboratory's message to a kit can be undone for 30 days: what it made is remembered by its IDs, and
  -- the message keeps its content until then.
  made         jsonb,
  constraint lab_messages_sealed check (sealed is null or parsed is null)
);
alter table lab_messages alter column sealed set storage external;
create index lab_messages_waiting on lab_messages (received_at) where status = 'waiting';
-- An erasure looks for messages that wait by what they say of a person, and for others who were born that day.
create index lab_messages_birth on lab_messages ((parsed->'patient'->>'dateOfBirth')) where status = 'waiting';
create index lab_messages_birth_hash on lab_messages (birth_hash) where status = 'waiting';
create index lab_messages_named_kit on lab_messages (named_kit) where status = 'waiting';
grant insert, update on lab_messages to kitlane_system;

-- Files that a person has to read. What was recognised on their pages waits here: it suggests, and never becomes a result by itself.
create table upload_reviews (
  realm_id         integer not null,
  document_id      text not null,
  format           text not null check (format in ('pdf', 'image', 'csv', 'hl7v2', 'fhir')),
  needs_review     text not null check (needs_review in ('scan', 'image', 'layout', 'person', 'date', 'unmatched')),
  state            text not null check (state in ('reading', 'waiting', 'confirmed', 'dismissed')),
  pages            integer not null default 0,
  head             jsonb,
  lines            jsonb,
  candidates       jsonb,
  note             text,
  report_id        text,
  reason           text,
  received_at      timestamptz not null,
  closed_at        timestamptz,
  -- What was found in a file is emptied when its review ends; why it was not read, or dismissed, stays.
  sealed           bytea,
  sealed_findings  bytea,
  candidate_count  integer,
  primary key (realm_id, document_id),
  foreign key (realm_id, document_id) references documents on delete cascade,
  check ((state in ('confirmed', 'dismissed')) = (closed_at is not null)),
  constraint upload_reviews_sealed check ((sealed is null or num_nonnulls(note, reason) = 0) and (sealed_findings is null or num_nonnulls(head, lines, candidates) = 0))
);
alter table upload_reviews alter column sealed_findings set storage external;
create index upload_reviews_open on upload_reviews (received_at, document_id) where closed_at is null;
-- Staff of the operator name a file without its realm.
create unique index upload_reviews_document on upload_reviews (document_id);
select kitlane_protect('upload_reviews', 'select, insert, update, delete');

-- Pages as pictures, drawn by us: what was uploaded itself is never shown in a browser.
create table upload_pages (
  realm_id     integer not null,
  document_id  text not null,
  page         integer not null check (page > 0),
  image        bytea,
  sealed       bytea,
  file         text,
  primary key (realm_id, document_id, page),
  constraint upload_pages_file foreign key (realm_id, file) references files,
  foreign key (realm_id, document_id) references upload_reviews on delete cascade,
  constraint upload_pages_sealed check (sealed is null or image is null),
  constraint upload_pages_stored check (file is null or (image is null and sealed is null))
);
alter table upload_pages alter column sealed set storage external;
create index upload_pages_unmoved on upload_pages (realm_id, document_id, page) where file is null;
select kitlane_protect('upload_pages', 'select, insert, delete');
grant update (image, sealed, file) on upload_pages to kitlane_system;

-- Every result that was received, matched or not, as it was sent: one row for each report of a message or file, with the count
-- of its lines. What waits of it is counted in unassessed_results.
create table received_documents (
  realm_id     integer not null,
  id           text not null,
  customer_id  bigint not null,
  kit_id       text,
  data_id      text,
  report_id    text,
  format       text not null,
  -- Lines that look like results, and what became of them at once; the others waited.
  lines        integer not null,
  assessed     integer not null,
  left_out     integer not null,
  received_at  timestamptz not null,
  sealed       bytea not null,
  primary key (realm_id, id),
  foreign key (realm_id, customer_id) references customers on delete cascade,
  foreign key (realm_id, data_id) references customer_data on delete cascade,
  foreign key (realm_id, kit_id) references kits on delete cascade,
  foreign key (realm_id, report_id) references reports on delete cascade
);
create index received_documents_customer on received_documents (realm_id, customer_id);
create index received_documents_kit on received_documents (realm_id, kit_id);
create index received_documents_data on received_documents (realm_id, data_id);
create index received_documents_report on received_documents (realm_id, report_id);
create unique index received_documents_id on received_documents (id);
select kitlane_protect('received_documents', 'select, insert, update, delete');

-- What the operator says of the layouts of laboratories' documents: each change is a new version. The newest one that is on counts.
create table layout_templates (
  name        text not null,
  version     integer not null,
  template    jsonb not null,
  is_on       boolean not null default true,
  created_at  timestamptz not null,
  primary key (name, version)
);
grant select on layout_templates to kitlane_app;
grant insert on layout_templates to kitlane_system;
grant update (is_on) on layout_templates to kitlane_system;

create trigger documents_deleted after delete on documents
  for each row when (old.file is not null) execute function kitlane_drop_file();
create trigger documents_refiled after update of file on documents
  for each row when (old.file is distinct from new.file and old.file is not null) execute function kitlane_drop_file();
create trigger upload_pages_deleted after delete on upload_pages
  for each row when (old.file is not null) execute function kitlane_drop_file();
create trigger upload_pages_refiled after update of file on upload_pages
  for each row when (old.file is distinct from new.file and old.file is not null) execute function kitlane_drop_file();
