import type { MessageKey, Translator } from '../../domain/translations/translator.ts'
import type { EmailContent } from './layout.ts'

// What each e-mail says: to people in their language, to businesses and operators in English. Never a result, a biomarker or what a kit tests: mail is read over shoulders.

export interface Parcel {
  carrier: string
  trackingNumber: string
}

/** What an e-mail to a person says in their language. */
export type PersonEmail = (t: Translator) => EmailContent

export const kitFact = (t: Translator, kitId: string) => [t('email.kit'), kitId] as const

/** What is known of a parcel. */
export const parcelFacts = (t: Translator, parcel: Parcel | undefined) =>
  parcel
    ? ([
        [t('email.carrier'), parcel.carrier],
        [t('email.trackingNumber'), parcel.trackingNumber],
      ] as const)
    : []

/** An e-mail about a kit, whose subject is its title. */
export const aboutKit =
  (kind: string, title: MessageKey, paragraphs: readonly MessageKey[]) =>
  (kitId: string): PersonEmail =>
  (t) => ({
    kind,
    subject: t(title),
    title: t(title),
    paragraphs: paragraphs.map((key) => t(key)),
    facts: [kitFact(t, kitId)],
  })

export const orderPlaced =
  (order: string, count: number): PersonEmail =>
  (t) => ({
    kind: 'order_placed',
    subject: t('email.orderPlaced.subject', { order }),
    title: t('email.orderPlaced'),
    paragraphs: [t('email.orderPlaced.kits', { count }), t('email.onItsWayLater')],
    facts: [[t('email.order'), order]],
  })

export const orderCanceled =
  (order: string): PersonEmail =>
  (t) => ({
    kind: 'order_canceled',
    subject: t('email.orderCanceled.subject', { order }),
    title: t('email.orderCanceled'),
    paragraphs: [t('email.orderCanceled.text')],
    facts: [[t('email.order'), order]],
  })

export const kitPacked = aboutKit('kit_packed', 'email.kitPacked', ['email.onItsWayLater'])

export const kitShipped =
  (kitId: string, parcel?: Parcel): PersonEmail =>
  (t) => ({
    ...aboutKit('kit_shipped', 'email.kitShipped', ['email.kitShipped.text'])(kitId)(t),
    facts: [kitFact(t, kitId), ...parcelFacts(t, parcel)],
  })

export const kitDelivered =
  (kitId: string): PersonEmail =>
  (t) => ({
    ...aboutKit('kit_delivered', 'email.kitDelivered', ['email.kitDelivered.register', 'email.kitDelivered.sample'])(
      kitId,
    )(t),
    button: { label: t('email.kitDelivered.button'), path: `/k/${kitId}` },
  })

export const kitRegistered =
  (kitId: string): PersonEmail =>
  (t) => ({
    ...aboutKit('kit_registered', 'email.kitRegistered', ['email.kitRegistered.next'])(kitId)(t),
    button: { label: t('email.kitRegistered.button'), with: t('email.kitRegistered.link') },
  })

export const registrationToCheck = aboutKit('registration_to_check', 'email.toCheck', [
  'email.toCheck.why',
  'email.toCheck.next',
])

/** Somebody asked for the link, perhaps not the addressee. */
export const newLink: PersonEmail = (t) => ({
  kind: 'new_link',
  subject: t('email.newLink'),
  title: t('email.newLink'),
  paragraphs: [t('email.newLink.why')],
  button: { label: t('email.newLink.button'), with: t('email.newLink.link') },
})

export const sampleReceived = aboutKit('sample_received', 'email.sampleReceived', ['email.sampleReceived.text'])

export const reportReady =
  (kitId: string): PersonEmail =>
  (t) => ({
    ...aboutKit('report_ready', 'email.reportReady', ['email.reportReady.text'])(kitId)(t),
    button: {
      label: t('email.reportReady.button'),
      with: t('email.reportReady.link'),
      without: t('email.reportReady.noLink'),
    },
  })

/** A new version of a report that could be read before: corrected, or with more results. */
export const reportRenewed =
  (kitId: string, what: 'corrected' | 'completed'): PersonEmail =>
  (t) => {
    const key = what === 'corrected' ? 'email.reportCorrected' : 'email.reportCompleted'
    return {
      ...aboutKit(`report_${what}`, key, [`${key}.text`, 'email.reportReady.text'])(kitId)(t),
      button: {
        label: t('email.reportReady.button'),
        with: t('email.reportReady.link'),
        without: t('email.reportReady.noLink'),
      },
    }
  }

export const sampleRejected = aboutKit('sample_rejected', 'email.sampleRejected', [
  'email.sampleRejected.why',
  'email.sampleRejected.next',
])

type ConsentOutcome = 'researchEnded' | 'notRegistered' | 'stopped' | 'underWay' | 'received'

/** A confirmation for the person, whatever e-mails the order wants. */
export const consentWithdrawn = (kitId: string, outcome: ConsentOutcome): PersonEmail =>
  aboutKit('consent_withdrawn', 'email.withdrawn', [`email.withdrawn.${outcome}`, 'email.withdrawn.notYou'])(kitId)

/** A confirmation of what a person asked for on their pages. */
export const dataRequested =
  (kind: 'copy' | 'erasure'): PersonEmail =>
  (t) => ({
    kind: 'data_requested',
    subject: t('email.dataRequested'),
    title: t('email.dataRequested'),
    paragraphs: [t(`email.dataRequested.${kind}`), t('email.withdrawn.notYou')],
  })

export const dataAnswered: PersonEmail = (t) => ({
  kind: 'data_answered',
  subject: t('email.dataAnswered'),
  title: t('email.dataAnswered'),
  paragraphs: [t('email.dataAnswered.text')],
  button: { label: t('email.dataAnswered.button'), with: t('email.reportReady.link') },
})

export const deliveryException = aboutKit('delivery_exception', 'email.deliveryException', [
  'email.deliveryException.text',
])

export const kitReplaced =
  (kitId: string, replacementKitId: string): PersonEmail =>
  (t) => ({
    ...aboutKit('kit_replaced', 'email.kitReplaced', ['email.kitReplaced.text'])(kitId)(t),
    facts: [
      [t('email.kitReplaced.old'), kitId],
      [t('email.kitReplaced.new'), replacementKitId],
    ],
  })

// To whom a kit was sent, once another person may have registered it: about the box, and nothing about that person.

const aboutBox = (kind: string, title: MessageKey, sentence: MessageKey) =>
  aboutKit(kind, title, [sentence, 'email.box'])

export const boxRegistered = aboutBox('box_registered', 'email.boxRegistered', 'email.boxRegistered.text')
export const boxPosted = aboutBox('box_posted', 'email.boxPosted', 'email.boxPosted.text')
export const boxReceived = aboutBox('box_received', 'email.boxReceived', 'email.boxReceived.text')
export const boxReported = aboutBox('box_reported', 'email.boxReported', 'email.boxReported.text')
export const boxRejected = aboutBox('box_rejected', 'email.boxRejected', 'email.boxRejected.text')
export const boxFailed = aboutBox('box_failed', 'email.boxFailed', 'email.boxFailed.text')
export const boxInDoubt = aboutBox('box_in_doubt', 'email.boxInDoubt', 'email.boxInDoubt.text')

interface CriticalWaits {
  count: number
  kitId: string | null
  reportId: string | null
  /** How long the notified contact has. */
  minutes: number
  /** The page of the dashboard. */
  page: string
}

/** To somebody of the on-call list. */
export const criticalWaits = ({ count, kitId, reportId, minutes, page }: CriticalWaits): EmailContent => ({
  kind: 'critical_waits',
  subject: count === 1 ? 'A critical result waits for you' : `${count} critical results wait for you`,
  title: count === 1 ? 'A critical result waits for you' : `${count} critical results wait for you`,
  paragraphs: [
    `Please look at it and acknowledge it within ${minutes} minutes. Otherwise the next contact is notified.`,
    'Sign in to see it. For your protection this e-mail does not say what it is.',
  ],
  facts: [
    ...(kitId === null ? [] : [['Kit', kitId] as const]),
    ...(reportId === null ? [] : [['Report', reportId] as const]),
  ],
  button: { label: 'Open the critical results', path: page },
})

/** To the business. */
export const creditsLow = (kitType: string, credits: number, threshold: number): EmailContent => ({
  kind: 'credits_low',
  subject: `Credits of ${kitType} are running low`,
  title: 'Your credits are running low',
  paragraphs: [`You asked for this e-mail when fewer than ${threshold} are left.`],
  facts: [
    ['Kit type', kitType],
    ['Credits left', String(credits)],
  ],
})

/** To the business. It names nobody. */
export const planOrderFailed = (planId: string, date: string, code: string, isRetried: boolean): EmailContent => ({
  kind: 'plan_order_failed',
  subject: isRetried ? 'An order of a recurring plan could not be placed' : 'An order of a recurring plan was skipped',
  title: isRetried ? 'An order could not be placed' : 'An order was skipped',
  paragraphs: [
    isRetried
      ? 'We try again daily for seven days. Correct what the reason says, or change, skip or end the plan.'
      : 'It could not be placed for seven days. The plan goes on with its next date.',
  ],
  facts: [
    ['Plan', planId],
    ['Date', date],
    ['Reason', code],
  ],
})

/** To the business. It names nobody. */
export const shopOrderFailed = (number: string, reason: string, isRetried: boolean): EmailContent => ({
  kind: 'shop_order_failed',
  subject: isRetried ? 'An order of your shop could not be placed' : 'An order of your shop waits for you',
  title: isRetried ? 'An order could not be placed' : 'An order waits for you',
  paragraphs: [
    isRetried
      ? 'We try again daily for seven days. Correct what the reason says, or place the order yourself.'
      : 'Under Developers, Shops, you see what it waits for. Others may wait there, too.',
  ],
  facts: [
    ['Order in the shop', number],
    ['Reason', reason],
  ],
})

/** To the business. It names no person: mail is read over shoulders. */
export const retestRefused = (panel: string): EmailContent => ({
  kind: 'retest_refused',
  subject: 'A person could not order a test again',
  title: 'A test could not be ordered again',
  paragraphs: [
    'A person whom you tested wanted to order the same panel again from their report, and credits do not cover it. They were told that you know.',
    'Buy or ask for credits, or send them a kit yourself. Settings say which panels can be ordered again.',
  ],
  facts: [['Panel', panel]],
})

interface DataRequestWaits {
  id: string
  kind: 'copy' | 'erasure'
  /** When an answer is due. */
  by: Date
  realm: { businessId: string; mode: string }
}

/** To the business. It names nobody. */
export const dataRequestWaits = ({ id, kind, by, realm }: DataRequestWaits): EmailContent => ({
  kind: 'data_request_waits',
  subject: kind === 'copy' ? 'A person asks for a copy of their data' : 'A person asks for their data to be erased',
  title: kind === 'copy' ? 'A person asks for a copy of their data' : 'A person asks for their data to be erased',
  paragraphs: [
    'They asked on their own pages, and were told that you answer by the date below.',
    'Grant or refuse it under Customers, Requests.',
  ],
  facts: [
    ['Request', id],
    ['Answer by', by.toISOString().slice(0, 10)],
  ],
  button: { label: 'Open the requests', path: `/app/b/${realm.businessId}/${realm.mode}/customers/requests` },
})

/** To the business. */
export const endpointDisabled = (endpointId: string, url: string): EmailContent => ({
  kind: 'endpoint_disabled',
  subject: 'A webhook endpoint was disabled',
  title: 'A webhook endpoint was disabled',
  paragraphs: [
    'It did not accept anything for several days, so nothing more is sent to it. What happened meanwhile is kept.',
    'Once it works again, enable it and have the missed events sent again.',
  ],
  facts: [
    ['Endpoint', endpointId],
    ['Address', url],
  ],
})
