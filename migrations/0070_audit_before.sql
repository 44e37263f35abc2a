-- Reads all entries of the audit once, while others read and write: the next migration then attaches them as the first
-- partition without reading them.
alter table audit_entries validate constraint audit_entries_before;
