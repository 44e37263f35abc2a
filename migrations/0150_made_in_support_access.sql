-- What lets somebody in and was made during a support access ends with it: tokens and users say which access made them.
-- Who set up a single sign-on does not verify its domains, so it says who did.

-- Null: not in a support access, or an administrator of the business kept it.
alter table tokens add column support_access_id text;
alter table memberships add column support_access_id text;

-- Who made or changed a single sign-on, and who made a token of the operator: `user:…`, `operator:…`.
alter table sso_connections add column set_up_by text[] not null default '{}';
alter table operator_tokens add column made_by text;
