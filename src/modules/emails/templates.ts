import type { EmailContent } from './layout.ts'

// What each e-mail says. Never a result, a biomarker or what a kit tests: mail is read over shoulders.

interface Parcel {
  carrier: string
  trackingNumber: string
}

const kitFact = (kitId: string) => ['Kit', kitId] as const

export const orderPlaced = (orderId: string, kits: number): EmailContent => ({
  kind: 'order_placed',
  subject: `Your order ${orderId} is placed`,
  title: 'Your order is placed',
  paragraphs: [
    kits === 1 ? 'Your kit is being prepared.' : `Your ${kits} kits are being prepared.`,
    'You will get another e-mail when it is on its way.',
  ],
  facts: [['Order', orderId]],
})

export const orderCanceled = (orderId: string): EmailContent => ({
  kind: 'order_canceled',
  subject: `Your order ${orderId} is canceled`,
  title: 'Your order is canceled',
  paragraphs: ['Nothing will be sent to you for this order.'],
  facts: [['Order', orderId]],
})

export const kitPacked = (kitId: string): EmailContent => ({
  kind: 'kit_packed',
  subject: 'Your kit is being packed',
  title: 'Your kit is being packed',
  paragraphs: ['You will get another e-mail when it is on its way.'],
  facts: [kitFact(kitId)],
})

export const kitShipped = (kitId: string, parcel?: Parcel): EmailContent => ({
  kind: 'kit_shipped',
  subject: 'Your kit is on its way',
  title: 'Your kit is on its way',
  paragraphs: ['The kit left our warehouse. You will get another e-mail when it has arrived.'],
  facts: [
    kitFact(kitId),
    ...(parcel
      ? ([
          ['Carrier', parcel.carrier],
          ['Tracking number', parcel.trackingNumber],
        ] as const)
      : []),
  ],
})

export const kitDelivered = (kitId: string): EmailContent => ({
  kind: 'kit_delivered',
  subject: 'Your kit has arrived',
  title: 'Your kit has arrived',
  paragraphs: [
    'Please register the kit first: the ID is on the box, and below. A sample without a registration cannot be processed.',
    'Then follow the instructions in the box to take your sample and send it back.',
  ],
  facts: [kitFact(kitId)],
  button: { label: 'Register your kit', path: `/k/${kitId}` },
})

export const kitRegistered = (kitId: string): EmailContent => ({
  kind: 'kit_registered',
  subject: 'Your kit is registered',
  title: 'Your kit is registered',
  paragraphs: ['The next step: take your sample as the instructions in the box say, and send it back soon after.'],
  facts: [kitFact(kitId)],
  button: {
    label: 'See where your kit is',
    with: 'By the link below you can see where your kit is, and your report once it is ready. It is meant for you alone, and asks for your date of birth.',
  },
})

export const registrationToCheck = (kitId: string): EmailContent => ({
  kind: 'registration_to_check',
  subject: 'We need to check the registration of your kit',
  title: 'We need to check the registration of your kit',
  paragraphs: [
    'A kit was registered with this e-mail address, but the date of birth is not the one that we know.',
    'Please tell us about it before the sample is posted. If it was not you who registered the kit, please tell us, too.',
  ],
  facts: [kitFact(kitId)],
})

/** Somebody asked for the link, perhaps not the addressee. */
export const newLink = (): EmailContent => ({
  kind: 'new_link',
  subject: 'Your new link',
  title: 'Your new link',
  paragraphs: ['Somebody, probably you, asked for a new link to your kit and your report.'],
  button: {
    label: 'See my kit and my report',
    with: 'It is valid for 90 days, is meant for you alone, and asks for your date of birth. If you did not ask for it, there is nothing that you need to do.',
  },
})

export const sampleReceived = (kitId: string): EmailContent => ({
  kind: 'sample_received',
  subject: 'Your sample has reached the laboratory',
  title: 'Your sample has reached the laboratory',
  paragraphs: ['There is nothing that you need to do. You will get another e-mail when your report is ready.'],
  facts: [kitFact(kitId)],
})

export const reportReady = (kitId: string): EmailContent => ({
  kind: 'report_ready',
  subject: 'Your report is ready',
  title: 'Your report is ready',
  paragraphs: ['To protect your privacy it is not part of this e-mail.'],
  facts: [kitFact(kitId)],
  button: {
    label: 'See your report',
    with: 'The link below leads you to it. It is meant for you alone, and asks for your date of birth.',
    without: 'Please sign in where you registered your kit.',
  },
})

export const sampleRejected = (kitId: string): EmailContent => ({
  kind: 'sample_rejected',
  subject: 'Your sample could not be used',
  title: 'Your sample could not be used',
  paragraphs: [
    'The laboratory could not process your sample. This happens, and says nothing about you.',
    'You will hear about a replacement kit. Until then there is nothing that you need to do.',
  ],
  facts: [kitFact(kitId)],
})

const consentOutcomes = {
  researchEnded: 'Your results are no longer shared for research. Your kit goes on as before.',
  notRegistered: 'The kit is not tested, unless somebody agrees anew and registers it.',
  stopped: 'The kit is not tested. You may throw it away.',
  underWay: 'The laboratory is told. Your sample is not tested when it arrives, but destroyed.',
  received: 'The laboratory is told to begin nothing further. What was done before is kept, as the law asks.',
}

/** A confirmation for the person, whatever e-mails the order wants. */
export const consentWithdrawn = (kitId: string, outcome: keyof typeof consentOutcomes): EmailContent => ({
  kind: 'consent_withdrawn',
  subject: 'You took back your consent',
  title: 'You took back your consent',
  paragraphs: [consentOutcomes[outcome], 'If it was not you who asked for this, please reply to this e-mail.'],
  facts: [kitFact(kitId)],
})

export const deliveryException = (kitId: string): EmailContent => ({
  kind: 'delivery_exception',
  subject: 'A parcel with your kit is held up',
  title: 'A parcel with your kit is held up',
  paragraphs: ['The carrier reported a problem. It is being looked into; you will hear about what happens next.'],
  facts: [kitFact(kitId)],
})

export const kitReplaced = (kitId: string, replacementKitId: string): EmailContent => ({
  kind: 'kit_replaced',
  subject: 'A replacement kit is being prepared',
  title: 'A replacement kit is being prepared',
  paragraphs: ['It is free of charge and has an ID of its own. Please register it when it arrives.'],
  facts: [
    ['Replaced kit', kitId],
    ['New kit', replacementKitId],
  ],
})

// To whom a kit was sent, once another person may have registered it: about the box, and nothing about that person.

const aboutBox =
  (kind: string, title: string, sentence: string) =>
  (kitId: string): EmailContent => ({
    kind,
    subject: title,
    title,
    paragraphs: [sentence, 'You get this e-mail because the kit was sent to you.'],
    facts: [kitFact(kitId)],
  })

export const boxRegistered = aboutBox(
  'box_registered',
  'The kit that you received is registered',
  'Whoever registered it hears from us about everything else.',
)
export const boxPosted = aboutBox(
  'box_posted',
  'The sample of your kit is on its way',
  'It is on its way to the laboratory.',
)
export const boxReceived = aboutBox(
  'box_received',
  'The sample of your kit has reached the laboratory',
  'There is nothing that you need to do.',
)
export const boxReported = aboutBox(
  'box_reported',
  'The kit that you received is done',
  'Its report is ready. Whoever registered the kit was told how to read it.',
)
export const boxRejected = aboutBox(
  'box_rejected',
  'The sample of your kit could not be used',
  'The laboratory could not process it. This happens. Whoever registered the kit hears about a replacement.',
)
export const boxFailed = aboutBox(
  'box_failed',
  'The sample of your kit could not be taken',
  'Whoever registered the kit hears about what happens next.',
)
export const boxInDoubt = aboutBox(
  'box_in_doubt',
  'The registration of your kit is being checked',
  'Please do not post the sample yet.',
)

interface CriticalWaits {
  count: number
  kitId: string | null
  reportId: string | null
  /** How long the one who is told has. */
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
    `Please look at it and acknowledge it within ${minutes} minutes. Otherwise the next contact is told.`,
    'Sign in to see it. For your protection this e-mail does not say what it is.',
  ],
  facts: [...(kitId === null ? [] : [kitFact(kitId)]), ...(reportId === null ? [] : [['Report', reportId] as const])],
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
