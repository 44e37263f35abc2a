import { orderWords } from './words/orders.ts'
import { peopleWords } from './words/people.ts'
import { resultWords } from './words/results.ts'
import { serviceWords } from './words/service.ts'

/**
 * What fields of the API are, by name, for those whose schema does not say it: a test fails for a field without words.
 * `Kit.status` is the field of one named shape, `createOrder.jobId` that of one operation.
 */
export const fieldWords: Readonly<Record<string, string>> = {
  ...serviceWords,
  ...peopleWords,
  ...orderWords,
  ...resultWords,
  'BulkJob.status': 'queued and processing are not the end; completed, canceled and failed are.',
  'CarrierEvent.status': 'What became of the parcel.',
  paymentID: 'The payment.',
  'TopUps.topUps': 'One for each panel.',
  'Payment.card': 'What was charged.',
  'Receipt.card': 'What was charged.',
  'CreditTransaction.kind': 'Why the credits moved.',
  'Email.status': 'Whether it was sent.',
  'Event.data': 'What happened: the fields of its type, as the webhook of that type has them.',
  'Event.type': 'The type of the event.',
  'KitProgress.type': 'The step.',
  'KitTimelineItem.type': 'The step.',
  'Order.amount': 'What was charged, in minor units.',
  'Order.method': 'How it is paid: credits, card or later.',
  'Order.status': 'pending until it is paid, then created; or canceled.',
  'Pagination.page': 'Which page this is, 0-based.',
  'Pagination.size': 'Entries a page.',
  'ReferenceInterval.value': 'The value of an interval with one bound.',
  'Report.status': 'Only a published report is shown to the person.',
  'Token.mode': 'Which data it works on: live or sandbox.',
  'WebhookDelivery.status': 'Whether the receiver heard it.',
}
