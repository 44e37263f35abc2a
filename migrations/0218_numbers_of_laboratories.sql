-- The numbers that a laboratory gave in its answers to a message, the one that counts last. Results find the kit by each of them.
-- is_number_taken: another kit had the last one. is_settled: a person has settled what the message and its answer say.
alter table lab_order_messages
  add column filler_numbers text[] not null default '{}',
  add column is_number_taken boolean not null default false,
  add column is_settled boolean not null default false;
-- Against the rule: existing rows are changed in batches, because no release has this table yet.
update lab_order_messages m set filler_numbers = array[o.filler_number]
from lab_orders o
where o.realm_id = m.realm_id and o.kit_id = m.kit_id and o.filler_number is not null and m.action = 'new' and m.outcome = 'accepted'
  and m.control_id like m.kit_id || case when o.round = 1 then '' else '-' || o.round end || '.%';
-- Against the rule: an index of an existing table is built concurrently, in a separate file, because no release has this table yet.
create index lab_order_messages_numbers on lab_order_messages using gin (filler_numbers);
