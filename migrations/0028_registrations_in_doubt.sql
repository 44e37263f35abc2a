-- A kit whose registration is in doubt may be another person's than the customer's with the same e-mail: it is nobody's.
-- What was said at the registration stays for whoever clears it. The version before shows such a kit without a person, too.
set local role kitlane_system;
update kits set customer_id = null, registered_at = null, progress = progress - 'kitRegistered'
where kit_status = 'registrationException' and (customer_id is not null or registered_at is not null or progress ? 'kitRegistered');
reset role;
