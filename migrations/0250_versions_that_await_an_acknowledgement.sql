-- The version of a report that nothing but critical results (or a recall) keeps from being published without a person, as awaits_recall.
-- Reports of earlier releases have none: a reviewer publishes them.
alter table reports add column awaits_acknowledgement integer;
