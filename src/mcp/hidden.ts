import { thinKeys } from '../modules/webhooks/rules.ts'

const HIDDEN = '[hidden]'

// Answers about definitions, terms, money and counts, in which nobody is named.
const namesNobody = new Set([
  ...['verifyToken', 'getCredits', 'createQuote', 'getOverview', 'getRetentionTerms', 'getCriticalFigures'],
  ...['listBiomarkers', 'listPanels', 'listSandboxScenarios', 'getSandboxClock', 'advanceSandboxClock'],
  ...['getTopUps', 'listPayments', 'getReceipt'],
  ...['getFunnel', 'getTurnaround', 'getPromises', 'getCreditsUsed'],
  ...['getReminderRules', 'previewReminder'],
  ...['getConsentText', 'getCurrentConsentText', 'listConsentTexts'],
])

// The same kinds of fields as in thin webhooks, by the names that other answers have for them.
const openKeys: ReadonlySet<string> = new Set([
  ...thinKeys,
  ...['orderId', 'orderIds', 'replacementKitID', 'customerId', 'userId', 'reportId', 'criticalID', 'eventID'],
  ...['deliveryId', 'docID', 'docId', 'dataID', 'dataId', 'sku', 'quantity', 'isTest', 'isNotifyReceiver'],
  ...['orderStatus', 'stage', 'pending', 'settling', 'method', 'amount', 'currency', 'valid', 'exists', 'attached'],
  ...[
    'code',
    'success',
    'kind',
    'eventType',
    'needsReview',
    'format',
    'payload',
    'enabled',
    'events',
    'disabledReason',
  ],
  ...['row', 'number', 'ms', 'processed', 'page', 'pages', 'size', 'totalPages', 'hasNext', 'hasPrevious', 'hasMore'],
  ...['date', 'at', 'registeredDate', 'startedDate', 'finishedDate', 'raisedDate', 'deadlineDate', 'closedDate'],
  ...['receivedDate', 'nextAttemptDate', 'lastAttemptDate', 'late', 'lateSince', 'usuallyDays', 'balance', 'change'],
  ...['orders', 'kits', 'reports', 'consents', 'webhooks', 'insufficientCredits', 'publishing', 'purchasingEnabled'],
  ...['every', 'weeks', 'months', 'times', 'placed', 'upcomingDates', 'changedDate'],
  ...['dataRequestID', 'requestedDate', 'answerByDate', 'copyUntilDate'],
  ...['requireConsent', 'uploadsEnabled', 'lowCreditThreshold', 'publishAcknowledged', 'last4', 'brand'],
])

/**
 * An answer as it is shown without personal data: fields that are not known to be harmless are `[hidden]`, so that a
 * field that is new is hidden too. Which fields there are, and that one is empty, is still seen.
 */
export function hide(operation: string, answer: unknown): unknown {
  return namesNobody.has(operation) ? answer : withoutPeople(answer, true)
}

function withoutPeople(value: unknown, isOpen: boolean): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutPeople(one, isOpen))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withoutPeople(one, openKeys.has(key))]))
  }
  return isOpen || value === null || value === '' ? value : HIDDEN
}
