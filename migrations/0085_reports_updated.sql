-- The list of reports says what changed since a time, as the other lists do (0029). Null: not changed since it was made.
alter table reports add column updated_at timestamptz;
create index reports_updated on reports (realm_id, updated_at) where updated_at is not null;
create index reports_created on reports (realm_id, created_at);
create trigger reports_date_own_change before update on reports for each row execute function date_change();
