-- A result that could not be judged waits before its kit has a report.
alter table notices alter report_id drop not null;
create index notices_kit on notices (realm_id, kit_id) where kit_id is not null;
