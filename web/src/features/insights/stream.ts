import type { Answer } from '@kitlane/client'
import type { Tone } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

export type FeedEvent = Answer<'get', '/api/v1/events'>['data'][number]

/** Names that other lists know: events carry IDs. */
export interface Names {
  ofOrder: (orderID: string) => string | undefined
  ofCustomer: (customerID: number) => string | undefined
  ofPanel: (kitType: string) => string
}

export interface StreamLine {
  /** The ID of its newest event. */
  id: string
  /** RFC 3339. */
  at: string
  tone: Tone
  words: string
  /** The parts of its page's path. */
  to: (string | number)[]
}

// As many of one kind in a row are listed one by one; more are counted.
const MOST_ALIKE = 3
// What fits a screen: the lists have the rest.
const MOST_LINES = 18

type StreamText = Omit<StreamLine, 'id' | 'at'> & {
  /** What counts several of this kind, with the list where they are. */
  many?: { words: (count: number) => string; to: string }
}

/** What happened, newest first, in words. Events that say nothing to a person are left out. */
export function linesOf(events: readonly FeedEvent[], names: Names): StreamLine[] {
  const kits = new Set<string>()
  const described = events.toReversed().flatMap((event) => {
    if (event.type === 'kit.updated') {
      // Of a kit that took several steps in a day, the last one tells the others.
      const ofDay = `${textOf(event.data.kitID)} ${new Date(event.timestamp).toDateString()}`
      if (kits.has(ofDay)) return []
      kits.add(ofDay)
    }
    const one = describeEvent(event, names)
    return one ? [{ ...one, id: event.id, at: event.timestamp, kind: `${event.type} ${textOf(event.data.event)}` }] : []
  })
  const lines: StreamLine[] = []
  for (let at = 0; at < described.length; ) {
    const first = described[at]
    if (!first) break
    const next = described.findIndex(
      ({ kind, at: time }, index) => index > at && !(kind === first.kind && sameDay(time, first.at)),
    )
    const run = described.slice(at, next === -1 ? undefined : next)
    if (run.length > MOST_ALIKE && first.many) {
      lines.push({ ...first, words: first.many.words(run.length), to: [first.many.to] })
    } else lines.push(...run)
    at += run.length
  }
  return lines.slice(0, MOST_LINES)
}

/** Whether two times are of one day where the reader is. */
export const sameDay = (a: string, b: string) => new Date(a).toDateString() === new Date(b).toDateString()
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

function describeEvent({ type, data }: FeedEvent, names: Names): StreamText | undefined {
  const customerID = numberOf(data.customerID)
  const known = names.ofCustomer(customerID)
  const person = known ?? t('a customer')
  const orderID = textOf(data.orderID)
  const recipient = names.ofOrder(orderID)
  switch (type) {
    case 'kit.updated':
      return describeKit(data, recipient, names.ofCustomer(customerID))
    case 'order.created':
      return describeOrder(data, recipient)
    case 'order.canceled':
      return {
        tone: 'idle',
        words: t('The order to {who} was canceled', { who: recipient ?? t('a person') }),
        to: ['orders', orderID],
      }
    case 'order.updated':
      return {
        tone: 'info',
        words: t('The address of {who} was corrected', { who: recipient ?? t('an order') }),
        to: ['orders', orderID],
      }
    case 'report.published':
      return {
        tone: 'good',
        words: readable(known, numberOf(data.version) > 1),
        to: ['customers', customerID, 'reports', textOf(data.reportID)],
        many: {
          words: (count) => t('{count, plural, one {# report was} other {# reports were}} published', { count }),
          to: 'reports',
        },
      }
    case 'result.critical':
      return { tone: 'bad', words: t('A result of {person} is critical', { person }), to: ['customers', customerID] }
    case 'result.withdrawn':
      return {
        tone: 'bad',
        words: t('The laboratory took back a result of {person}', { person }),
        to: ['customers', customerID],
      }
    case 'consent.withdrawn':
      return {
        tone: 'idle',
        words: t('The consent of {person} was withdrawn', { person }),
        to: ['kits', textOf(data.kitID)],
      }
    case 'data_request.created':
      return {
        tone: 'fair',
        words: t('{person} asks for a copy of their data, or for its erasure', { person }),
        to: ['customers', 'requests'],
      }
    case 'bulk_order.completed':
      return {
        tone: numberOf(data.failed) > 0 ? 'fair' : 'good',
        words: t(
          'A bulk order ended: {succeeded, number} of {total, plural, one {# person} other {# people}} ordered',
          {
            succeeded: numberOf(data.succeeded),
            total: numberOf(data.total),
          },
        ),
        to: ['bulk', textOf(data.jobId)],
      }
    case 'credits.low':
      return {
        tone: 'fair',
        words: t('{count, plural, one {# credit of {panel} is} other {# credits of {panel} are}} left', {
          count: numberOf(data.credits),
          panel: names.ofPanel(textOf(data.type)),
        }),
        to: ['billing'],
      }
    default:
      return undefined
  }
}

function readable(who: string | undefined, isCorrected: boolean): string {
  if (who === undefined)
    return isCorrected ? t('A customer can read a corrected report') : t('A customer can read the report')
  return isCorrected ? t('{who} can read a corrected report', { who }) : t('{who} can read the report', { who })
}

function describeOrder(data: FeedEvent['data'], recipient: string | undefined): StreamText {
  const items = (data.items ?? []) as { quantity: number }[]
  const kits = items.reduce((sum, { quantity }) => sum + quantity, 0)
  const isPending = data.status === 'pending'
  const ordered = { count: kits, who: recipient ?? t('a person') }
  return {
    tone: isPending ? 'fair' : 'info',
    words: isPending
      ? t('{count, plural, one {# kit was} other {# kits were}} ordered for {who}, not paid yet', ordered)
      : t('{count, plural, one {# kit was} other {# kits were}} ordered for {who}', ordered),
    to: ['orders', textOf(data.orderID)],
    many: {
      words: (count) => t('{count, plural, one {# order was} other {# orders were}} placed', { count }),
      to: 'orders',
    },
  }
}

interface Step {
  tone: Tone
  one: (who: string) => string
  many: (count: number) => string
}

const steps: Record<string, Step> = {
  kitPreparing: {
    tone: 'idle',
    one: (who) => t('The kit of {who} is being packed', { who }),
    many: (count) => t('{count, plural, one {# kit is} other {# kits are}} being packed', { count }),
  },
  kitInTransit: {
    tone: 'info',
    one: (who) => t('The kit of {who} is on its way', { who }),
    many: (count) => t('{count, plural, one {# kit went on its way} other {# kits went on their way}}', { count }),
  },
  kitDelivered: {
    tone: 'info',
    one: (who) => t('The kit of {who} was delivered', { who }),
    many: (count) => t('{count, plural, one {# kit was} other {# kits were}} delivered', { count }),
  },
  kitRegistered: {
    tone: 'info',
    one: (who) => t('{who} registered a kit', { who }),
    many: (count) => t('{count, plural, one {# kit was} other {# kits were}} registered', { count }),
  },
  sampleInTransit: {
    tone: 'info',
    one: (who) => t('The sample of {who} is on its way back', { who }),
    many: (count) =>
      t('{count, plural, one {# sample is on its way} other {# samples are on their way}} back', { count }),
  },
  sampleReceived: {
    tone: 'info',
    one: (who) => t('The sample of {who} reached the laboratory', { who }),
    many: (count) => t('{count, plural, one {# sample} other {# samples}} reached the laboratory', { count }),
  },
  reportReady: {
    tone: 'good',
    one: (who) => t('The results of {who} are in', { who }),
    many: (count) => t('{count, plural, one {# result} other {# results}} came in', { count }),
  },
  sampleRejected: {
    tone: 'bad',
    one: (who) => t('The sample of {who} was rejected', { who }),
    many: (count) => t('{count, plural, one {# sample was} other {# samples were}} rejected', { count }),
  },
  deliveryException: {
    tone: 'bad',
    one: (who) => t('The kit of {who} has a delivery problem', { who }),
    many: (count) => t('{count, plural, one {# kit has} other {# kits have}} a delivery problem', { count }),
  },
  collectionException: {
    tone: 'bad',
    one: (who) => t('The sample of {who} has a problem', { who }),
    many: (count) => t('{count, plural, one {# sample has} other {# samples have}} a problem', { count }),
  },
  registrationException: {
    tone: 'bad',
    one: (who) => t('The registration of {who} has a problem', { who }),
    many: (count) => t('{count, plural, one {# registration has} other {# registrations have}} a problem', { count }),
  },
  canceled: {
    tone: 'idle',
    one: (who) => t('The kit of {who} was canceled', { who }),
    many: (count) => t('{count, plural, one {# kit was} other {# kits were}} canceled', { count }),
  },
}

function describeKit(data: FeedEvent['data'], recipient?: string, customer?: string): StreamText | undefined {
  const step = steps[textOf(data.event)]
  if (step === undefined) return undefined
  const registered = textOf(data.registeredToEmail)
  const sentTo = textOf(data.recipientEmail)
  // Anyone who registered a kit need not be whom it was sent to.
  const reached = registered && registered !== sentTo ? registered : (recipient ?? (registered || sentTo))
  const who = customer ?? reached
  const isNameless = !who && data.event === 'kitRegistered'
  return {
    tone: step.tone,
    words: isNameless ? t('A person registered a kit') : step.one(who || t('a person')),
    to: ['kits', textOf(data.kitID)],
    many: { words: step.many, to: 'kits' },
  }
}
