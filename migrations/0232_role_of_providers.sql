-- Providers sign in with a role of their own. A process of the previous release gives it no scope.
alter table memberships drop constraint memberships_check;
alter table memberships add constraint memberships_check
  check (case when business_id is null then role in ('operator-admin', 'fulfilment', 'lab', 'reviewer', 'provider') else role in ('business-admin', 'business-viewer') end) not valid;
