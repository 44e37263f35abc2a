-- What became of a result that waited: assigned to a biomarker, dismissed, seen with its report, or replaced by what came later.
-- Null: it waits, or a version before closed it.
alter table unassessed_results add column outcome text;
