-- In batches: one row. The sex of a panel refused nobody until now, and that of a starter panel was not set by anybody.
update panels set sex = null where kit_type = 'ED2KXO3EE' and sex = 'F';
