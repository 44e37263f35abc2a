/** What the OpenAPI document says before its routes. */
const apiDescription = `Order health test kits, follow them, and read the reports.

Send \`Authorization: Token <token>\`. A live token (\`kl_live_…\`) works on live data, a sandbox token (\`kl_test_…\`) on sandbox data only.
A date may also be an RFC 3339 timestamp. An optional field that is \`null\` or empty is absent, unless \`null\` is said to unset; a number may be
text, a list a single value, and a name may have another case or \`_\`: \`kit_type\` is \`kitType\`.
Every answer has the ID of its request in \`X-Request-Id\`, and in \`RateLimit\` and \`RateLimit-Policy\` how many requests are left.
Any POST, PATCH or DELETE takes an \`Idempotency-Key\`: the same request with it is done once.
\`Retry-After\` of a refusal says how long to wait. \`/docs/errors\` says what to do about each error code.
Answers may get new fields, and lists of words new words: ignore what you do not know. What the operator calls is at \`/operator/v1/openapi.json\`,
what only a person may do who signed in at \`/openapi-dashboard.json\`.`

const dashboardDescription = `What no token may do: signing in, one's own account, and what an administrator does with people, tokens and single sign-on.

Sign in with \`POST /api/v1/session\` and send its cookie. The same session may call what is in the document for businesses, \`/openapi.json\`,
where dates, optional fields, the \`Idempotency-Key\` and refusals are explained.`

const operatorDescription = `What the operator of an installation does: pack and ship kits, receive samples and results, review reports, and run the service.

Send \`Authorization: Token <token>\` with a token of the operator (\`kl_oper_…\`), or the session of somebody who signed in with \`POST /api/v1/session\`.
Dates, optional fields, the \`Idempotency-Key\` and refusals are as in the document for businesses, \`/openapi.json\`.`

const sessionDescription = `Of somebody who signed in with \`POST /api/v1/session\`; named \`__Host-kitlane\` over https. Below /api/v1 the header
\`Kitlane-Realm: <businessId>/live\` (or \`/sandbox\`) says where to work. A change needs \`Sec-Fetch-Site: same-origin\`, as browsers send it,
or an \`Origin\` of the service itself. A request brings a token or a session, not both.`

/** What the document says and no route does, besides tags of the modules and `fields` of field-words.ts. */
export const apiWords = {
  title: 'Kitlane',
  version: '1.0.0',
  descriptions: { business: apiDescription, dashboard: dashboardDescription, operator: operatorDescription },
  token: '`Token <token>`. What a token may do is in its scopes; each operation names the one that it needs.',
  session: sessionDescription,
  idempotencyKey:
    'Any text of yours, new for each change: the same key with the same request answers the same for 24 hours, and does its work once. A refusal that a later change can turn, such as credits that do not suffice, is not kept: the same key tries again. A dry run uses no key. `X-Idempotency-Key` is the same header.',
  server: 'The installation that serves this document.',
} as const
