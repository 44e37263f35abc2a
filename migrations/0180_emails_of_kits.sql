-- Concurrently: what was sent about a kit is found by the kit, for whoever asks what is held of a person and for erasing it.
create index concurrently if not exists emails_kit on emails (realm_id, kit_id) where kit_id is not null;
