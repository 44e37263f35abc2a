import { sealedOperatorAnswers } from '../../platform/http/operator-keys.ts'
import { sealedAnswers } from '../../platform/http/realm-keys.ts'
import type { AnySealed } from '../../platform/sealing/seal-rows.ts'
import { sealedWords } from '../audit/words-queries.ts'
import { sealedGuardians } from '../customers/guardian-queries.ts'
import { sealedCustomers } from '../customers/sealed-queries.ts'
import { sealedEmailHeads, sealedEmailTexts } from '../emails/sealed-queries.ts'
import { sealedEvents } from '../events/sealed-queries.ts'
import { sealedCarrierMessages } from '../fulfilment/carrier-queries.ts'
import { sealedVisits } from '../identity/support-access-queries.ts'
import { sealedConsents } from '../kits/consent-queries.ts'
import { sealedRecipients } from '../kits/recipient-queries.ts'
import { sealedKits, sealedReasons } from '../kits/sealed-queries.ts'
import { sealedMessages } from '../lab/messages/sealed-queries.ts'
import { sealedReceived } from '../lab/received/sealed-queries.ts'
import { sealedFindings, sealedNotes, sealedPages } from '../lab/review/sealed-queries.ts'
import { sealedContents, sealedData, sealedFileJobs, sealedFileNames } from '../lab/sealed-queries.ts'
import { sealedShares } from '../links/share-queries.ts'
import { sealedRows } from '../orders/bulk/queries.ts'
import { sealedRequests } from '../payments/queries.ts'
import { sealedPlans } from '../plans/queries.ts'
import { sealedDataRequests } from '../privacy/requests/queries.ts'
import { sealedKept } from '../privacy/retention/kept-queries.ts'
import { sealedContacts, sealedCriticals } from '../reports/critical/sealed-queries.ts'
import { sealedReportNotes } from '../reports/note-queries.ts'
import { sealedComments } from '../reports/review/comment-queries.ts'
import { sealedHolds } from '../reports/review/hold-queries.ts'
import { sealedVersions } from '../reports/sealed-queries.ts'
import { sealedUnassessed } from '../reports/unassessed/sealed-queries.ts'
import { sealedShopDeliveries } from '../shops/delivery-queries.ts'
import { sealedShopOrders } from '../shops/order-queries.ts'
import { sealedTextConsents } from '../text-messages/queries.ts'
import { sealedAttempts } from '../webhooks/queries.ts'

/** Every table that seals what it holds of people. */
export const sealedTables: readonly AnySealed[] = [
  ...[
    sealedCustomers,
    sealedGuardians,
    sealedTextConsents,
    sealedKits,
    sealedReasons,
    sealedConsents,
    sealedRecipients,
  ],
  ...[sealedWords, sealedVisits],
  ...[sealedVersions, sealedReportNotes, sealedUnassessed, sealedReceived, sealedCriticals, sealedContacts],
  ...[sealedHolds, sealedComments],
  ...[sealedData, sealedFileNames, sealedContents, sealedFileJobs],
  ...[sealedNotes, sealedFindings, sealedPages, sealedMessages],
  ...[sealedEmailHeads, sealedEmailTexts, sealedEvents, sealedAttempts, sealedCarrierMessages],
  ...[sealedAnswers, sealedOperatorAnswers, sealedRequests, sealedRows, sealedPlans],
  ...[sealedShopDeliveries, sealedShopOrders],
  ...[sealedShares, sealedDataRequests, sealedKept],
]
