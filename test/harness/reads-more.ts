import { sealedTablesOf } from '../../src/modules/define-module.ts'
import { modules } from '../../src/modules/index.ts'

/** Which tables a request or a job may read more of, up to all rows so many times, and why. */
export interface ReadsMore {
  tables: readonly string[]
  because: string
  times: number
}

const AUDIT = 'audit_entries'
const SEALED = sealedTablesOf(modules).map(({ declaration }) => declaration.table)
// Once to count, once for the page; and what was written since the tables were counted.
const TIMES = 2.5

const all = (names: string, tables: readonly string[], because: string, times = TIMES): Record<string, ReadsMore> =>
  Object.fromEntries(names.split(' ').map((name) => [name, { tables, because, times }]))

/**
 * By the name of a route or a job. Everything else reads at most `MOST` rows, whatever a business has. What is here still
 * grows with the orders, or is bounded by something else than a page.
 */
export const readsMore: Readonly<Record<string, ReadsMore>> = {
  ...all(
    'listAudit listOperatorAudit',
    [AUDIT, 'audit_words'],
    'counts up to 10,000 entries; by action, actor or time it reads back until it has as many',
  ),
  ...all(
    'getSupportReceipt',
    [AUDIT],
    'what a visitor did is found by the time of the visit, and the audit has no index of times',
  ),
  ...all('verifyAudit oversight.verify', [AUDIT], 'computes the chain anew, 20,000 entries at a time', 40),
  ...all('oversight.watch', [AUDIT], 'reads what a caller did in a day'),
  ...all('audit.seal audit.index-lists', [AUDIT], 'reads what is new since its last run'),
  ...all(
    'listCustomerAccesses listAccessesOfCustomer exportCustomer',
    [AUDIT],
    'shows every access to a person since the beginning',
  ),
  ...all('deleteWebhook', ['webhook_deliveries'], 'deletes all deliveries of the endpoint'),
  ...all(
    'replayWebhookRange',
    ['events', 'webhook_deliveries'],
    'owes what happened in a stretch of time, and events have no index of times',
  ),
  ...all(
    'grantErasure eraseCustomer',
    ['events', 'order_finds'],
    'that somebody became a customer is found by the data of the event; the terms of a name are those of all who share it',
  ),
  ...all('listKits listOrders', ['kits', 'orders'], 'what a filter finds is counted once, by blocks that are kept'),
  ...all('listBulkOrderJobs', ['bulk_jobs'], 'its total counts all bulk orders, by an index alone'),
  ...all(
    'listShopOrders',
    ['shop_orders'],
    'its total counts all orders of the shop, and a status is sought among them',
  ),
  ...all(
    'listCustomers',
    ['customers', 'reports'],
    'answers with all of them in pieces of a hundred, each of which finds anew what changed since a time',
    60,
  ),
  ...all(
    'listReports listReportsInReview',
    ['customers', 'reports', 'report_versions', 'kits'],
    'what changed since a time, or waits for a review, is counted and sorted as a whole',
    6,
  ),
  ...all(
    'listUnassessedResults listUnassessedResultsOfAll listCriticalResults listCriticalResultsOfAll listUploads listUploadsOfAll',
    ['unassessed_results', 'critical_results', 'upload_reviews', 'documents', 'customer_data'],
    'its total counts also what is settled, where that is asked for',
  ),
  ...all(
    'listEvents',
    ['events'],
    'a type of which there are no more is sought in all events after the last that was read',
  ),
  ...all(
    'getSystem getOperatorOverview getOldestWaiting',
    ['webhook_deliveries', 'reports'],
    'counts the deliveries that are due and the reports that wait for a review',
  ),
  ...all('getOverview', ['kits'], 'counts the kits that are under way'),
  ...all('listPayments', ['payments'], 'its total counts all payments, by an index alone'),
  ...all('listEmails', ['emails'], 'its total counts the e-mails that are kept'),
  ...all('keys.seal-rows', SEALED, 'walks each table once, to seal what a version before it left in clear', 6),
  ...all(
    'operator.check-ledger',
    ['credit_transfers', 'orders', 'kits'],
    'adds up everything once a week, in batches of some thousand rows',
    6,
  ),
}
