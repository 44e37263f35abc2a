import type { Answer } from '@kitlane/client'
import { pluralize } from '../../components/pluralize.ts'
import type { Tone } from '../../components/status-label.ts'

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
      return { tone: 'info', words: `The address of ${recipient ?? 'an order'} was corrected`, to: ['orders', orderID] }
    case 'report.published':
      return {
        tone: 'good',
        words: `${person === 'a customer' ? 'A customer' : person} can read ${numberOf(data.version) > 1 ? 'a corrected report' : 'the report'}`,
        to: ['customers', customerID, 'reports', textOf(data.reportID)],
        many: { words: (count) => `${pluralize(count, 'report')} were published`, to: 'reports' },
      }
    case 'result.critical':
      return { tone: 'bad', words: `A result of ${person} is critical`, to: ['customers', customerID] }
    case 'result.withdrawn':
      return { tone: 'bad', words: `The laboratory took back a result of ${person}`, to: ['customers', customerID] }
    case 'consent.withdrawn':
      return { tone: 'idle', words: `The consent of ${person} was withdrawn`, to: ['kits', textOf(data.kitID)] }
    case 'bulk_order.completed':
      return {
        tone: numberOf(data.failed) > 0 ? 'fair' : 'good',
        words: `A bulk order ended: ${numberOf(data.succeeded).toLocaleString('en')} of ${pluralize(numberOf(data.total), 'person', 'people')} ordered`,
        to: ['bulk', textOf(data.jobId)],
      }
    case 'credits.low':
      return {
        tone: 'fair',
        words: `${pluralize(numberOf(data.credits), 'credit')} of ${names.ofPanel(textOf(data.type))} are left`,
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
    words: `${pluralize(kits, 'kit')} ${kits === 1 ? 'was' : 'were'} ordered for ${recipient ?? 'a person'}${isPending ? ', not paid yet' : ''}`,
    to: ['orders', textOf(data.orderID)],
    many: { words: (count) => `${pluralize(count, 'order')} were placed`, to: 'orders' },
  }
}

const steps: Record<string, [tone: Tone, one: string, many: string]> = {
  kitPreparing: ['idle', 'The kit of * is being packed', 'kits are being packed'],
  kitInTransit: ['info', 'The kit of * is on its way', 'kits went on their way'],
  kitDelivered: ['info', 'The kit of * was delivered', 'kits were delivered'],
  kitRegistered: ['info', '* registered a kit', 'kits were registered'],
  sampleInTransit: ['info', 'The sample of * is on its way back', 'samples are on their way back'],
  sampleReceived: ['info', 'The sample of * reached the laboratory', 'samples reached the laboratory'],
  reportReady: ['good', 'The results of * are in', 'results came in'],
  sampleRejected: ['bad', 'The sample of * was rejected', 'samples were rejected'],
  deliveryException: ['bad', 'The kit of * has a delivery problem', 'kits have a delivery problem'],
  collectionException: ['bad', 'The sample of * has a problem', 'samples have a problem'],
  registrationException: ['bad', 'The registration of * has a problem', 'registrations have a problem'],
  canceled: ['idle', 'The kit of * was canceled', 'kits were canceled'],
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
