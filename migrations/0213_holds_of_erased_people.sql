-- A hold ends with the erasure of its person, too.
alter table held_samples drop constraint held_samples_ended_by_check;
alter table held_samples add constraint held_samples_ended_by_check
  check (ended_by in ('mended', 'tested', 'laboratory', 'clock', 'erased')) not valid;
