/** What the OpenAPI document says before its routes. */
const apiDescription = `Order health test kits, follow them, and read the reports.

Send \`Authorization: Token <token>\`. A live token (\`kl_live_…\`) works on live data, a sandbox token (\`kl_test_…\`) on sandbox data only.
Wherever a date is asked for, a date or an RFC 3339 timestamp with any offset is taken. An optional field may be \`null\` or empty, which both mean that it
is absent, except where \`null\` is said to unset; a number may come as text of digits, a single value where a list is meant, and a
name in another case or with \`_\`: \`kit_type\` counts as \`kitType\`.
Every answer says the ID of its request in \`X-Request-Id\`, and in \`RateLimit\` and \`RateLimit-Policy\` how many requests are left.
Any POST, PATCH or DELETE takes an \`Idempotency-Key\`: the same key with the same request answers the same for 24 hours, and does its work once.
A refusal that waiting may mend says in \`Retry-After\` how long. What to do about each error code is at \`/docs/errors\`.
An answer may get new fields, and a list of words new words: read what you know. What the operator calls is at \`/operator/v1/openapi.json\`,
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

/** What the routes of each tag are about. */
const tags = {
  Access: 'Whose token is this?',
  Account: 'Signing in, and what people do with their own account: password, second factors, sessions.',
  'Bulk orders': 'Jobs that place twenty orders or more.',
  Catalogue: 'What can be ordered, and what is measured.',
  Consent: 'The words that people agree to, and taking a consent back.',
  Credits: 'Prepaid rights to one kit of one type: balances and the ledger.',
  'Critical results': 'Results with which somebody may need help at once: who is told, and who has acknowledged.',
  'Customer data': 'Adding results and answers of your own for a person tested.',
  Customers: 'The records of people tested.',
  Events: 'What happened, in order: the feed behind the webhooks.',
  FHIR: 'People tested, kits and published reports as resources of FHIR R4, to be read. Below `/fhir`; refusals are OperationOutcomes.',
  Kits: 'Kits from order to report: reading, registering, replacing.',
  Numbers: 'How far kits came, how long it took, rejections and credits, by when they were ordered.',
  Orders: 'Placing, reading, paying and canceling orders.',
  Overview: 'Counts for a first page, and search.',
  'Payment methods': 'Saved cards.',
  Payments: 'Charges by card, with their receipts.',
  Reminders: 'E-mails to people who have not done the next step, by rules.',
  'Recurring plans': 'Orders that are placed by themselves, every so many weeks or months.',
  Reports: 'Judged results of one sample: reading, documents, publishing.',
  Requests: 'What your tokens asked for, and what they were answered.',
  Shops: 'Orders of your own Shopify or WooCommerce shop, and tracking that is written back.',
  'Results that wait': 'Results of a known person that could not be judged, until a person closes them.',
  Sandbox: 'Playing through the life of a kit without a laboratory.',
  Settings: 'What a business decides for one mode.',
  'Uploads to review': 'Files of customers in doubt, for a person to confirm.',
  Users: 'The people of a business, its tokens, its single sign-on and its audit.',
  Webhooks: 'Where events are sent, what became of each, and the events themselves.',
  'Operator: audit': 'Who did and read what, over all businesses; alarms.',
  'Operator: businesses': 'Opening businesses, their panels and their credits.',
  'Operator: catalogue': 'Biomarkers, ranges and panels.',
  'Operator: fulfilment': 'Packing and posting kits, and what carriers say.',
  'Operator: laboratories': 'Laboratories, and what their documents look like.',
  'Operator: laboratory': 'Receiving samples and taking results in.',
  'Operator: mail': 'E-mails that were sent or kept.',
  'Operator: numbers': 'The same numbers over the live kits of all businesses.',
  'Operator: retention': 'How long records are kept, and legal holds.',
  'Operator: review': 'Reports in review, results that wait and critical results, over all businesses.',
  'Operator: staff': "The operator's own people, tokens, single sign-on and support access.",
  'Operator: system': 'How the service is doing: jobs, backups, search.',
  'Operator: uploads to review': 'Files of customers in doubt, over all businesses.',
} as const

/** Everything that the document says and no route does; `fields` come from field-words.ts. */
export const apiWords = {
  title: 'Kitlane',
  version: '1.0.0',
  descriptions: { business: apiDescription, dashboard: dashboardDescription, operator: operatorDescription },
  token: '`Token <token>`. What a token may do is in its scopes; each operation names the one that it needs.',
  session: sessionDescription,
  idempotencyKey:
    'Any text of yours, new for each change: the same key with the same request answers the same for 24 hours, and does its work once. A refusal that a later change can turn, such as credits that do not suffice, is not kept: the same key tries again. A dry run uses no key. `X-Idempotency-Key` is the same header.',
  server: 'The installation that serves this document.',
  tags,
} as const
