-- ordered: the SKU that the warehouse was asked for, and whether a serial number had to be named. before_record: what it had said of the
-- parcel before a person recorded it; null where nobody did.
alter table warehouse_orders add column ordered jsonb, add column before_record jsonb;

-- A kit that left a warehouse and was packed here too holds two lots.
-- Against the rule: an index of an existing table is built concurrently, in a separate file, because no release has this table yet.
alter table packed_lots drop constraint packed_lots_pkey, add primary key (realm_id, kit_id, product, lot);
