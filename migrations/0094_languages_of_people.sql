-- In which language a person reads their pages and gets e-mails: `en`, `ar`. Null: nobody knows yet.
alter table customers add column language text check (language ~ '^[a-z]{2}$');
