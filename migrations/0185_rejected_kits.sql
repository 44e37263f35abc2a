-- Concurrently: why samples were rejected is read of those kits alone. A replacement belongs to the day of its order, which may be long before it.
create index concurrently if not exists kits_rejected on kits (realm_id, created_at, id) where sample_status = 'rejected' and replacement_for is null;
create index concurrently if not exists kits_rejected_replacements on kits (realm_id, id) where sample_status = 'rejected' and replacement_for is not null;
