-- Files whose day of collection is not certain wait for a person: a reason more than before.
alter table upload_reviews drop constraint upload_reviews_needs_review_check;
alter table upload_reviews add constraint upload_reviews_needs_review_check
  check (needs_review in ('scan', 'image', 'layout', 'person', 'date', 'unmatched')) not valid;
