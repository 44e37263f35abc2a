-- Files that a person has to read. What was recognised on their pages waits here: it suggests, and never becomes a result by itself.
create table upload_reviews (
  realm_id      integer not null,
  document_id   text not null,
  format        text not null check (format in ('pdf', 'image', 'csv', 'hl7v2', 'fhir')),
  needs_review  text not null check (needs_review in ('scan', 'image', 'layout', 'person')),
  state         text not null check (state in ('reading', 'waiting', 'confirmed', 'dismissed')),
  pages         integer not null default 0,
  head          jsonb not null default '{}',
  lines         jsonb not null default '[]',
  candidates    jsonb not null default '[]',
  note          text,
  report_id     text,
  reason        text,
  received_at   timestamptz not null,
  closed_at     timestamptz,
  primary key (realm_id, document_id),
  foreign key (realm_id, document_id) references documents on delete cascade,
  check ((state in ('confirmed', 'dismissed')) = (closed_at is not null))
);
create index upload_reviews_open on upload_reviews (received_at, document_id) where closed_at is null;
-- Staff of the operator name a file without its realm.
create unique index upload_reviews_document on upload_reviews (document_id);
select kitlane_protect('upload_reviews', 'select, insert, update, delete');

-- Pages as pictures, drawn by us: what was uploaded itself is never shown in a browser.
create table upload_pages (
  realm_id      integer not null,
  document_id   text not null,
  page          integer not null check (page > 0),
  image         bytea not null,
  primary key (realm_id, document_id, page),
  foreign key (realm_id, document_id) references upload_reviews on delete cascade
);
select kitlane_protect('upload_pages', 'select, insert, delete');

create index documents_data on documents (realm_id, data_id);

-- What came before there was a queue waits in it too, without suggestions.
set local role kitlane_system;
insert into upload_reviews (realm_id, document_id, format, needs_review, state, note, received_at)
select d.realm_id, o.id, case when d.payload->>'needsReview' = 'image' then 'image' else 'pdf' end,
       d.payload->>'needsReview', 'waiting', 'The file came before text was recognised: open it to read it', d.created_at
from customer_data d join documents o on o.realm_id = d.realm_id and o.data_id = d.id
where d.kind = 'file' and d.payload->>'needsReview' in ('scan', 'image', 'layout', 'person');
reset role;

-- An erasure looks for messages that wait by what they say of a person, and for others who were born that day.
create index lab_messages_birth on lab_messages ((parsed->'patient'->>'dateOfBirth')) where status = 'waiting';
create index kits_birth on kits ((registration->>'dateOfBirth')) where registration is not null;
