-- What a process sees that is wrong with the addresses of its callers, for `kitlane doctor`. Null: nothing.
alter table process_beats add column caller_problem text;
