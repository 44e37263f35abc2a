-- An account counts for its e-mail address only once somebody has followed a link that went to that address alone. Before,
-- whoever invited somebody saw the link too, and could make the account of an address that is not theirs.
alter table users add column email_verified_at timestamptz;

-- The command line makes an account and its role at once, with a password that only it knows. Accounts that came by
-- invitation stay unverified until a link of an e-mail is followed: they go on signing in as before.
update users u set email_verified_at = u.created_at
where exists (select 1 from memberships m where m.user_id = u.id and m.accepted_at = u.created_at);

-- Whether the link went by e-mail and nobody else saw it. False for those of a process of the version before.
alter table account_links add column mailed_only boolean not null default false;
