-- In batches: kits that were written without `live` before 0021 join the pack queue.
set local role kitlane_system;
update kits k set live = true
from (select m.realm_id, m.id from kits m join realms r on r.id = m.realm_id where r.mode = 'live' and not m.live limit 1000) missed
where k.realm_id = missed.realm_id and k.id = missed.id
