import type { Answer } from '@kitlane/client'
import { pluralize } from '../../components/pluralize.ts'
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

// As many of one kind in a row are told one by one; more are counted.
const MOST_ALIKE = 3
// What fits a screen: the lists have the rest.
const MOST_LINES = 18

type Told = Omit<StreamLine, 'id' | 'at'> & {
  /** What counts several of this kind, with the list where they are. */
  many?: { words: (count: number) => string; to: string }
}

/** What happened, newest first, in words. Events that say nothing to a person are left out. */
export function linesOf(events: readonly FeedEvent[], names: Names): StreamLine[] {
  const kits = new Set<string>()
  const told = events.toReversed().flatMap((event) => {
    if (event.type === 'kit.updated') {
      // Of a kit that took several steps in a day, the last one tells the others.
      const ofDay = `${textOf(event.data.kitID)} ${new Date(event.timestamp).toDateString()}`
      if (kits.has(ofDay)) return []
      kits.add(ofDay)
    }
    const one = tell(event, names)
    return one ? [{ ...one, id: event.id, at: event.timestamp, kind: `${event.type} ${textOf(event.data.event)}` }] : []
  })
  const lines: StreamLine[] = []
  for (let at = 0; at < told.length; ) {
    const first = told[at]
    if (!first) break
    const next = told.findIndex(
      ({ kind, at: time }, index) => index > at && !(kind === first.kind && sameDay(time, first.at)),
    )
    const run = told.slice(at, next === -1 ? undefined : next)
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

function tell({ type, data }: FeedEvent, names: Names): Told | undefined {
  const customerID = numberOf(data.customerID)
  const person = names.ofCustomer(customerID) ?? 'a customer'
  const orderID = textOf(data.orderID)
  const recipient = names.ofOrder(orderID)
  switch (type) {
    case 'kit.updated':
      return tellKit(data, recipient, names.ofCustomer(customerID))
    case 'order.created':
      return tellOrder(data, recipient)
    case 'order.canceled':
      return { tone: 'idle', words: `The order to ${recipient ?? 'a person'} was canceled`, to: ['orders', orderID] }
    case 'order.updated':
      return {
        tone: 'info',
        words: `The address of ${recipient ?? t('an order')} was corrected`,
        to: ['orders', orderID],
      }
    case 'report.published':
      return {
        tone: 'good',
        words: `${person === 'a customer' ? 'A customer' : person} can read ${numberOf(data.version) > 1 ? t('a corrected report') : t('the report')}`,
        to: ['customers', customerID, 'reports', textOf(data.reportID)],
        many: {
          words: (count) => t('{count, plural, one {# report} other {# reports}} were published', { count }),
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
    case 'bulk_order.completed':
      return {
        tone: numberOf(data.failed) > 0 ? 'fair' : 'good',
        words: t('A bulk order ended: {count, number} of {count2, plural, one {# person} other {# people}} ordered', {
          count: numberOf(data.succeeded),
          count2: numberOf(data.total),
        }),
        to: ['bulk', textOf(data.jobId)],
      }
    case 'credits.low':
      return {
        tone: 'fair',
        words: t('{count, plural, one {# credit} other {# credits}} of {ofPanel} are left', {
          count: numberOf(data.credits),
          ofPanel: names.ofPanel(textOf(data.type)),
        }),
        to: ['billing'],
      }
    default:
      return undefined
  }
}

function tellOrder(data: FeedEvent['data'], recipient: string | undefined): Told {
  const items = (data.items ?? []) as { quantity: number }[]
  const kits = items.reduce((sum, { quantity }) => sum + quantity, 0)
  const isPending = data.status === 'pending'
  return {
    tone: isPending ? 'fair' : 'info',
    words: `${pluralize(kits, 'kit')} ${kits === 1 ? 'was' : 'were'} ordered for ${recipient ?? 'a person'}${isPending ? t(', not paid yet') : ''}`,
    to: ['orders', textOf(data.orderID)],
    many: {
      words: (count) => t('{count, plural, one {# order} other {# orders}} were placed', { count }),
      to: 'orders',
    },
  }
}

const steps: Record<string, [tone: Tone, one: string, many: string]> = {
  kitPreparing: ['idle', t('The kit of * is being packed'), t('kits are being packed')],
  kitInTransit: ['info', t('The kit of * is on its way'), t('kits went on their way')],
  kitDelivered: ['info', t('The kit of * was delivered'), t('kits were delivered')],
  kitRegistered: ['info', '* registered a kit', t('kits were registered')],
  sampleInTransit: ['info', t('The sample of * is on its way back'), t('samples are on their way back')],
  sampleReceived: ['info', t('The sample of * reached the laboratory'), t('samples reached the laboratory')],
  reportReady: ['good', t('The results of * are in'), t('results came in')],
  sampleRejected: ['bad', t('The sample of * was rejected'), t('samples were rejected')],
  deliveryException: ['bad', t('The kit of * has a delivery problem'), t('kits have a delivery problem')],
  collectionException: ['bad', t('The sample of * has a problem'), t('samples have a problem')],
  registrationException: ['bad', t('The registration of * has a problem'), t('registrations have a problem')],
  canceled: ['idle', t('The kit of * was canceled'), t('kits were canceled')],
}

function tellKit(data: FeedEvent['data'], recipient?: string, customer?: string): Told | undefined {
  const step = steps[textOf(data.event)]
  if (step === undefined) return undefined
  const [tone, one, many] = step
  const registered = textOf(data.registeredToEmail)
  const sentTo = textOf(data.recipientEmail)
  // Whoever registered a kit need not be whom it was sent to.
  const reached = registered && registered !== sentTo ? registered : (recipient ?? (registered || sentTo))
  const who = customer ?? (reached || 'a person')
  const words = one.replace('*', () => who)
  return {
    tone,
    words: words[0] === 'a' && one.startsWith('*') && who === 'a person' ? `A${words.slice(1)}` : words,
    to: ['kits', textOf(data.kitID)],
    many: { words: (count) => `${count.toLocaleString('en')} ${many}`, to: 'kits' },
  }
}
