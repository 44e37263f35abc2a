-- What samples were measured with is found without regard to case and white space. Nothing looks for it as it was written.
-- Against the rule: an index of an existing table is built concurrently, in a separate file, because no release has this table yet.
create index measured_lots_spelled on measured_lots (lower(regexp_replace(lot, '\s', '', 'g')));
drop index measured_lots_lot;
