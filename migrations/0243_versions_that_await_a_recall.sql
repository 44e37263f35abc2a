-- The version of a report that nothing but a recall keeps from being published without a person; another version does not count.
alter table reports add column awaits_recall integer;
