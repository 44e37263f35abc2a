import type { DB } from '../../src/platform/database/schema.gen.ts'

/** Who writes a table, and who may read it against the order of the rooms. */
export interface Owner {
  /** A folder of src/modules, or `platform`. */
  room: string
  /** What a file of another room calls instead of writing. The files that it names exist: a test looks. */
  instead: string
  /** Why every room may read it, also those above its owner. */
  readByAll?: string
  /** Files of rooms above the owner that read it, each with its reason. */
  readAlsoBy?: Readonly<Record<string, string>>
}

const ownedBy = (room: string, instead: string, more: Omit<Owner, 'room' | 'instead'> = {}): Owner => ({
  room,
  instead,
  ...more,
})

const frame = {
  readByAll: 'the realm is in every row and every transaction: anyone may join its mode and the name of its business',
}

const located = {
  'audit/access-queries.ts': "the realm of what the operator reads is found by the object's ID, for the access audit",
}

const checked = {
  'credits/check-queries.ts': 'the check of the ledger compares what each order took with what it should have taken',
}

const searched = {
  'kits/recipient-queries.ts': 'a kit is found by the recipient of its order',
}

/** Every table with the one room that writes it. */
export const owners: Readonly<Record<keyof DB, Owner>> = {
  audit_entries: ownedBy('audit', 'entries are recorded by audit/service.ts'),
  audit_anchors: ownedBy('audit', 'anchors are made by audit/anchors.ts'),
  audit_archived: ownedBy('audit', 'what was archived of the audit is written by audit/archive.ts'),
  audit_chains: ownedBy('audit', 'entries are sealed by audit/seal.ts'),
  audit_lists: ownedBy('audit', 'the names that lists showed are written by audit/lists.ts'),
  audit_readers: ownedBy('audit', 'sealed entries are read on by audit/reader.ts'),
  audit_sealing: ownedBy('audit', 'entries are sealed by audit/seal.ts'),
  audit_seals: ownedBy('audit', 'entries are sealed by audit/seal.ts'),
  audit_words: ownedBy('audit', 'words of entries are written by audit/service.ts'),

  verifications: ownedBy('platform', 'verifications are kept by database/verification-queries.ts'),
  verified_parts: ownedBy('platform', 'verifications are kept by database/verification-queries.ts'),

  archives: ownedBy('archives', 'archives are made by archives/service.ts'),

  backups: ownedBy('backups', 'backups are recorded by backups/service.ts'),

  events: ownedBy('events', 'events are recorded by events/service.ts, and scrubbed by events/erasure-queries.ts'),

  birth_date_failures: ownedBy('links', 'wrong dates of birth are counted by links/service.ts'),
  personal_links: ownedBy('links', 'personal links are made and ended by links/service.ts'),
  report_shares: ownedBy('links', 'shared reports are written by links/shares.ts'),
  personal_sessions: ownedBy('links', 'sessions of a personal link are begun and ended by links/service.ts'),

  emails: ownedBy('emails', 'e-mails are queued by emails/service.ts', { readAlsoBy: located }),

  webhook_endpoints: ownedBy('webhooks', 'endpoints are made and changed by webhooks/service.ts'),
  webhook_deliveries: ownedBy(
    'webhooks',
    'a trigger on events adds deliveries, and webhooks/delivery/sender.ts sends them',
  ),
  webhook_attempts: ownedBy('webhooks', 'attempts are recorded by webhooks/delivery/outcome.ts'),

  businesses: ownedBy('businesses', 'businesses are made and renamed by businesses/service.ts', frame),
  realms: ownedBy('businesses', 'realms are made and configured by businesses/service.ts', frame),
  realm_counters: ownedBy(
    'businesses',
    'numbers are drawn by businesses/counters.ts, those of customers by businesses/counters-queries.ts',
  ),

  account_links: ownedBy('identity', 'links to accounts are made and taken by identity/account-links.ts'),
  known_devices: ownedBy('identity', 'browsers are remembered by identity/sessions.ts'),
  memberships: ownedBy(
    'identity',
    'memberships are changed by identity/members.ts and given by identity/invitations.ts',
  ),
  operator_tokens: ownedBy('identity', 'tokens of the operator are made and revoked by identity/operator-tokens.ts'),
  passkey_challenges: ownedBy('identity', 'challenges are made and taken by identity/passkeys.ts'),
  passkeys: ownedBy('identity', 'passkeys are added and removed by identity/passkeys.ts'),
  recovery_codes: ownedBy('identity', 'recovery codes are made and taken by identity/totp.ts'),
  sessions: ownedBy('identity', 'sessions are begun and ended by identity/sessions.ts'),
  sign_in_policies: ownedBy('identity', 'what a business demands is changed by identity/sign-in-policy.ts'),
  sign_in_failures: ownedBy('identity', 'failed attempts are counted by identity/attempts.ts'),
  support_accesses: ownedBy('identity', 'accesses of the operator are made and ended by identity/support-access.ts'),
  token_uses: ownedBy('identity', 'the last use of tokens is written by identity/token-uses.ts'),
  scim_groups: ownedBy('identity', 'groups of a provider are written by identity/scim/groups.ts'),
  scim_members: ownedBy('identity', 'groups of a provider are written by identity/scim/groups.ts'),
  scim_users: ownedBy('identity', 'users of a provider are written by identity/scim/users.ts'),
  sso_attempts: ownedBy('identity', 'sign-ins at a provider are begun and ended by identity/sso/sign-in.ts'),
  sso_connections: ownedBy('identity', 'single sign-on is set up by identity/sso/connections.ts'),
  sso_domains: ownedBy('identity', 'domains are claimed and verified by identity/sso/connections.ts'),
  sso_identities: ownedBy('identity', 'people of a provider are linked to users by identity/sso/sign-in.ts'),
  tokens: ownedBy('identity', 'tokens of a business are made and revoked by identity/tokens.ts'),
  users: ownedBy('identity', 'users are made and changed by identity/users.ts'),

  biomarkers: ownedBy('catalogue', 'biomarkers are edited by catalogue/edit.ts'),
  panels: ownedBy('catalogue', 'panels are made by catalogue/service.ts'),
  realm_panels: ownedBy('catalogue', 'panels are provisioned by catalogue/service.ts'),
  catalogue_texts: ownedBy('catalogue', 'texts are written by catalogue/texts.ts'),
  reminder_rules: ownedBy('reminders', 'rules are replaced by reminders/service.ts'),
  reminders: ownedBy('reminders', 'what is sent is written by reminders/send.ts'),
  reminder_stops: ownedBy('reminders', 'reminders are stopped by reminders/stop.ts'),
  range_signatures: ownedBy('catalogue', 'signatures are added by catalogue/signatures.ts'),
  panel_promises: ownedBy('catalogue', 'what is promised of a panel is added by catalogue/promises.ts'),

  credit_balances: ownedBy('credits', 'credits/ledger.ts is the only writer of balances'),
  credit_transfers: ownedBy('credits', 'credits/ledger.ts is the only writer of transfers'),
  ledger_checks: ownedBy('credits', 'the ledger is checked by credits/verify.ts'),

  payment_methods: ownedBy('payments', 'payment methods are attached by payments/methods.ts'),
  payments: ownedBy('payments', 'payments are started and settled by payments/service.ts'),
  refunds: ownedBy('payments', 'refunds are made by payments/refunds.ts'),
  receipts: ownedBy('payments', 'receipts are issued by payments/receipts/issue.ts'),
  receipt_counters: ownedBy('payments', 'numbers of receipts are drawn by payments/receipts/issue.ts'),
  card_sessions: ownedBy('payments', 'cards are added by payments/cards/sessions.ts and payments/cards/finish.ts'),
  top_ups: ownedBy('payments', 'top-ups are set by payments/top-ups/settings.ts, started and ended beside it'),
  top_up_terms: ownedBy('payments', 'the ceiling of top-ups is set by payments/top-ups/settings.ts'),
  payment_notices: ownedBy('payments', 'administrators are told once by payments/notices.ts'),
  simulated_setups: ownedBy('payments', 'test cards are added by payments/gateways/simulated-setups.ts'),
  simulated_charges: ownedBy('payments', 'test cards are charged by payments/gateways/simulated.ts'),

  customers: ownedBy('customers', 'customers are made and changed by customers/service.ts', {
    readAlsoBy: {
      ...located,
      'links/queries.ts': 'a personal link opens by the date of birth of its customer, locked in one statement',
    },
  }),
  customer_finds: ownedBy('customers', 'the terms that customers are found by are written by customers/service.ts'),

  text_counts: ownedBy('text-messages', 'text messages that nobody scheduled are counted by text-messages/service.ts'),
  text_stops: ownedBy('text-messages', 'numbers that stopped text messages are kept by text-messages/service.ts'),
  text_consents: ownedBy('text-messages', 'consents to text messages are kept by text-messages/service.ts'),
  guardians: ownedBy('customers', 'guardians are named by customers/guardians.ts'),

  kits: ownedBy('kits', 'kits are made by kits/create.ts and moved by kits/move.ts', {
    readAlsoBy: { ...located, 'credits/check-queries.ts': 'the check of the ledger looks for kits without an order' },
  }),
  consents: ownedBy('kits', 'consents are given in kits/register.ts'),
  consent_texts: ownedBy('kits', 'consent texts are published by kits/consent/texts.ts'),
  default_consent_texts: ownedBy('kits', 'consent texts are published by kits/consent/texts.ts'),
  consent_withdrawals: ownedBy('kits', 'consents are taken back in kits/consent/withdraw.ts'),

  bulk_jobs: ownedBy('orders', 'bulk jobs are accepted by orders/bulk/accept.ts and ended by orders/bulk/service.ts'),
  bulk_rows: ownedBy('orders', 'rows of bulk jobs are placed by orders/bulk/place-rows.ts'),
  plans: ownedBy('plans', 'plans are made and ended by plans/service.ts, changed by plans/change.ts'),
  plan_occurrences: ownedBy('plans', 'the dates of plans are placed by plans/place.ts'),
  shops: ownedBy('shops', 'shops are connected by shops/service.ts'),
  shop_deliveries: ownedBy('shops', 'what shops send is kept by shops/hooks.ts'),
  shop_orders: ownedBy('shops', 'orders of shops are taken in by shops/receive.ts and placed by shops/place.ts'),
  order_lines: ownedBy('orders', 'orders are placed by orders/placement.ts'),
  order_items: ownedBy('orders', 'orders are placed by orders/placement.ts', { readAlsoBy: checked }),
  order_finds: ownedBy('orders', 'search terms of orders are written by orders/jobs.ts', { readAlsoBy: searched }),
  customer_words: ownedBy('customers', 'the words of names are added to the search by customers/jobs.ts'),
  order_finds_done: ownedBy('orders', 'search terms of orders are written by orders/jobs.ts', { readAlsoBy: searched }),
  order_terms: ownedBy('orders', 'orders/jobs.ts empties it: order_finds took its place'),
  order_terms_done: ownedBy('orders', 'nothing writes it: order_finds took its place'),
  orders: ownedBy('orders', 'orders are placed by orders/placement.ts and cancelled by orders/cancel.ts', {
    readAlsoBy: {
      ...located,
      ...checked,
      ...searched,
      'kits/queries.ts': 'a kit is listed with the recipient of its order',
    },
  }),

  report_results: ownedBy('reports', 'results are written with their version by reports/versions/write.ts'),
  report_versions: ownedBy('reports', 'versions of a report are written by reports/versions/write.ts'),
  reports: ownedBy(
    'reports',
    'reports are written by reports/versions/write.ts and published by reports/versions/publish.ts',
    {
      readAlsoBy: {
        ...located,
        'customers/queries.ts': 'a customer is listed with the IDs of their reports',
        'kits/page-queries.ts': 'the page of a kit links to its report',
      },
    },
  ),
  critical_results: ownedBy('reports', 'critical results are raised by reports/critical/raise.ts', {
    readAlsoBy: located,
  }),
  report_comments: ownedBy('reports', 'comments of reviewers are written by reports/review/service.ts'),
  report_holds: ownedBy('reports', 'reports are held and released by reports/review/service.ts'),
  laboratories: ownedBy('reports', 'profiles of laboratories are written by reports/origin/service.ts'),
  on_call_contacts: ownedBy('reports', 'the on-call list is written by reports/critical/on-call.ts'),
  unassessed_results: ownedBy('reports', 'results that were not judged are kept by reports/unassessed/service.ts', {
    readAlsoBy: located,
  }),

  customer_data: ownedBy('lab', 'data about a customer is added by lab/add-data.ts'),
  documents: ownedBy('lab', 'files are stored by lab/upload/store.ts', {
    readAlsoBy: { 'reports/unassessed/list-queries.ts': 'an unassessed result links to the file that it came from' },
  }),
  received_documents: ownedBy('lab', 'what was received is kept by lab/received/queries.ts', {
    readAlsoBy: { 'reports/unassessed/list-queries.ts': 'an unassessed result says how its document was read' },
  }),
  file_jobs: ownedBy('lab', 'jobs that read files are made and run by lab/upload/job.ts'),
  layout_templates: ownedBy('lab', 'layout templates are saved and switched off by lab/layouts/service.ts'),
  lab_messages: ownedBy('lab', 'messages are queued by lab/messages/queue.ts, and ended by lab/messages/close.ts'),
  files: ownedBy('platform', 'files are recorded by files/queries.ts', {
    readByAll: 'a row that has a file is read with where that is',
  }),
  request_log: ownedBy('request-log', 'requests are gathered and written by request-log/gather.ts'),
  request_counts: ownedBy('platform', 'requests of all nodes are counted by http/shared-counts.ts'),
  file_store: ownedBy('platform', 'the store is recorded by files/open-store.ts'),
  upload_pages: ownedBy('lab', 'pages of uploads are drawn and stored by lab/review/recognise.ts'),
  upload_reviews: ownedBy('lab', 'reviews are opened by lab/review/open.ts, and ended by lab/review/service.ts', {
    readAlsoBy: located,
  }),

  registration_drafts: ownedBy('portal', 'drafts of a registration are kept by portal/registration/drafts.ts'),
  data_requests: ownedBy('privacy', 'requests of people are made and closed by privacy/requests/service.ts', {
    readAlsoBy: { 'insights/overview/queries.ts': 'the overview counts those that wait for an answer' },
  }),
  retests: ownedBy('portal', 'people order a panel again by portal/retest/order.ts'),

  carrier_events: ownedBy('fulfilment', 'events of carriers are received by fulfilment/carrier.ts'),
  pack_claims: ownedBy('fulfilment', 'packers claim kits by fulfilment/claims.ts'),
  parcels: ownedBy('fulfilment', 'kits are shipped by fulfilment/ship.ts'),

  access_reviews: ownedBy('oversight', 'reviews of access are signed off by oversight/review/service.ts'),
  alarm_counts: ownedBy('oversight', 'what alarms count is written by oversight/alarms/watch.ts'),
  alarms: ownedBy('oversight', 'alarms are raised and acknowledged by oversight/alarms/service.ts'),

  kept_records: ownedBy('privacy', 'records of erased people are kept by privacy/retention/keeper.ts'),
  legal_holds: ownedBy('privacy', 'legal holds are set and lifted by privacy/retention/holds.ts'),
  retention_runs: ownedBy('privacy', 'runs of the purge are noted by privacy/retention/run.ts'),
  retention_terms: ownedBy('privacy', 'terms are changed by privacy/retention/terms.ts'),

  tallies: ownedBy('businesses', 'triggers write tallies, and businesses/tally-queries.ts folds them'),

  encryption_key: ownedBy('platform', 'the id of the key is written by database/encryption-key-id.ts'),
  data_keys: ownedBy('platform', 'keys are made by sealing/vault.ts'),
  key_rotations: ownedBy('keys', 'rotations are noted by keys/queries.ts'),
  sealing_progress: ownedBy('keys', 'progress is noted by keys/queries.ts'),
  idempotency_keys: ownedBy('platform', 'keys are claimed and answers kept by http/realm-keys.ts'),
  list_changes: ownedBy('platform', 'triggers write what changed, and database/block-counts.ts reads it'),
  list_counts: ownedBy('platform', 'counts of lists are kept by database/block-counts.ts'),
  operator_idempotency_keys: ownedBy('platform', 'keys are claimed by http/operator-keys.ts'),
  packing: ownedBy('platform', 'sealing/packing-queries.ts notes that every process reads packed values'),
  process_beats: ownedBy('platform', 'processes say that they live by database/heartbeat.ts'),
  schema_migrations: ownedBy('platform', 'migrations are applied by database/migrate.ts'),
  transaction_era: ownedBy('platform', 'the function kitlane_xact of the database keeps it'),
}
