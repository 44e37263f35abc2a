-- Concurrently:
-- FHIR reads registered kits 200 at a time, newest first. With 386,000 orders it passed over all that nobody had registered.
create index concurrently if not exists kits_registered_seq on kits (realm_id, seq) where customer_id is not null and registered_at is not null;
