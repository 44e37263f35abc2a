-- Who started a bulk job, so that the live token that sent test orders reads their job by its ID, as it reads the orders. Null: of before.
alter table bulk_jobs add column placed_by text;
