/** What the OpenAPI document says before its routes. */
export const apiDescription = `Order health test kits, follow them, and read the reports.

Send \`Authorization: Token <token>\`. A live token (\`kl_live_…\`) works on live data, a sandbox token (\`kl_test_…\`) on sandbox data only.
Wherever a date is asked for, a date or an RFC 3339 timestamp with any offset is taken. An optional field may be \`null\` or empty, which both mean that it
is absent, except where \`null\` is said to unset; a number may come as text of digits, a single value where a list is meant.
Any POST, PATCH or DELETE takes an \`Idempotency-Key\`: the same key with the same request answers the same for 24 hours, and does its work once.`

export const sessionDescription = `Of somebody who signed in with \`POST /api/v1/session\`; named \`__Host-kitlane\` over https. Below /api/v1 the header
\`Kitlane-Realm: <businessId>/live\` (or \`/sandbox\`) says where to work. A change needs \`Sec-Fetch-Site: same-origin\`, as browsers send it,
or an \`Origin\` of the service itself. A request brings a token or a session, not both.`
