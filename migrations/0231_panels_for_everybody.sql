-- The sex of a panel refused nobody until now. That of a starter panel was not set by anybody.
-- In batches: one row.
update panels set sex = null where kit_type = 'ED2KXO3EE' and sex = 'F';
