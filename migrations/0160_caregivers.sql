-- A caregiver may consent on behalf of the person tested. The checks of before were stricter, so no row needs to be read again.
alter table consents drop constraint consents_relation_check,
  add constraint consents_relation_check check (relation in ('parent', 'guardian', 'caregiver', 'other')) not valid;
alter table guardians drop constraint guardians_relation_check,
  add constraint guardians_relation_check check (relation in ('parent', 'guardian', 'caregiver', 'other')) not valid;
