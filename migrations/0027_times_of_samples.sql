-- Whoever says at what time a sample was taken is given that time back: it tells a fasting morning from an evening.
-- As text, since a timestamp of PostgreSQL forgets the offset. Null where only a day is known; a process of the release
-- before writes the day alone, so a time counts only where it is of that day.
alter table customer_data add column given_at text;
alter table reports add column collected_at text, add column resulted_at text;
alter table report_versions add column collected_at text, add column resulted_at text;
