-- Concurrently: who deletes what a person sent looks for the jobs that read it, through the foreign key.
create index concurrently if not exists file_jobs_data on file_jobs (realm_id, data_id);
