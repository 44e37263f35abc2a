-- A stop that a person set on their page is kept by number too, at that business alone. With the realm beside the hash, the reset of
-- a sandbox forgets its own.
alter table text_stops add column said_in integer;
