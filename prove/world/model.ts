import type { HoldCause } from './detours.ts'
import type { JourneyPlan, Stage } from './plan.ts'

/** Where a kit is known to be: what was acknowledged about it. */
export interface LivedKit {
  id: string
  orderId: string
  stage: Stage | 'undelivered'
  replacementFor?: string
  replacedBy?: string
  /** Whom it is registered to; undefined again once they were erased. */
  customerId?: number | undefined
  isRegistered: boolean
  /** What became of a box that did not arrive. */
  trouble?: { outcome: string; state: string; isHere: boolean }
  hold?: { state: 'open' | 'released' | 'discarded'; causes: HoldCause[]; endedBy?: string }
  /** What a recall of the lot of its box did with it, and where it was then. */
  recall?: { stage: string; done: string[] }
  /** The serial number of its box. */
  serial?: string
  /** A laboratory is to get an order: its person is known, and where orders wait for the sample, that too. */
  isOrdered: boolean
  /** All results of its panel are there. */
  isComplete?: boolean
}

/** A sealed box: where it lies, or whose it is. */
export interface LivedBox {
  serial: string
  place: string
  state: 'inStock' | 'bound' | 'writtenOff'
  kitId?: string
}

/** An order that was acknowledged, and what was acknowledged about its first kit, and those in its place, afterwards. */
export interface Lived {
  plan: JourneyPlan
  realm: string
  /** A single order, or those of a bulk job in the order of its rows. `quantity`: without the kits that replace others. */
  orders: { id: string; externalId: string; quantity: number; street1: string; kits: LivedKit[] }[]
  boxes: LivedBox[]
  /** How far its last kit is known to be. */
  stage: LivedKit['stage']
  customerId?: number
  isErased: boolean
  reportId?: string | undefined
  /** The number of the order at the laboratory. */
  placer?: string
  versions: number
  /** The order was refused, as its card demands. */
  isDeclined: boolean
  /** As it was registered, or corrected. */
  born: string
  lastName: string
  /** Which part of the corrected name is the first nobody knows: pages greet by none. */
  isRenamed: boolean
  /** The number of the parcel of its last kit, and how many there were. */
  trackingNumber: string
  parcels: number
}

export const livedOf = (plan: JourneyPlan, realm: string): Lived => ({
  plan,
  realm,
  orders: [],
  boxes: [],
  stage: 'placed',
  isErased: false,
  versions: 0,
  isDeclined: false,
  born: '1961-03-09',
  lastName: personOf(plan),
  isRenamed: false,
  trackingNumber: '',
  parcels: 0,
})

export const kitsOf = ({ orders }: Pick<Lived, 'orders'>): LivedKit[] => orders.flatMap(({ kits }) => kits)

/** A kit that was made. */
export const madeKit = (id: string, orderId: string): LivedKit => ({
  id,
  orderId,
  stage: 'placed',
  isRegistered: false,
  isOrdered: false,
})

export const recipientOf = ({ name }: JourneyPlan) => `${name}r`
export const personOf = ({ name }: JourneyPlan) => `${name}p`

/** A day as the forms of pages ask for it. */
export function dayFields(day: string): { year: string; month: string; day: string } {
  const [year = 0, month = 0, of = 0] = day.split('-').map(Number)
  return { year: String(year), month: String(month), day: String(of) }
}

const order: readonly Stage[] = [
  ...(['placed', 'shipped', 'delivered', 'registered', 'received', 'reported', 'published'] as const),
  ...(['corrected', 'erased'] as const),
]
const branches: Partial<Record<Stage, Stage>> = { canceled: 'placed', withdrawn: 'registered', rejected: 'received' }

/** Whether a kit that goes to `stage` passes `step`. */
export function passes(stage: Stage, step: Stage): boolean {
  if (branches[step]) return stage === step
  return order.indexOf(step) <= order.indexOf(branches[stage] ?? stage)
}

/** The statuses of a kit at a stage, as the contract's table has them. */
export function statusesAt(stage: LivedKit['stage']): { kitStatus: string; sampleStatus: string[]; status: string } {
  const before = { sampleStatus: ['awaitingCollection'], status: 'notStarted' }
  switch (stage) {
    case 'placed':
      return { kitStatus: 'preparing', ...before }
    case 'canceled':
      return { kitStatus: 'canceled', sampleStatus: ['canceled'], status: 'notStarted' }
    case 'shipped':
      return { kitStatus: 'inTransit', ...before }
    case 'undelivered':
      return { kitStatus: 'deliveryException', ...before }
    case 'delivered':
      return { kitStatus: 'delivered', ...before }
    case 'registered':
      return { kitStatus: 'registered', ...before }
    case 'withdrawn':
      return { kitStatus: 'registered', sampleStatus: ['collectionException'], status: 'notStarted' }
    case 'received':
      return { kitStatus: 'collected', sampleStatus: ['received'], status: 'notStarted' }
    case 'rejected':
      return { kitStatus: 'collected', sampleStatus: ['rejected'], status: 'rejected' }
    case 'reported':
      return { kitStatus: 'collected', sampleStatus: ['resulted', 'partiallyResulted'], status: 'inReview' }
    default:
      return { kitStatus: 'collected', sampleStatus: ['resulted', 'partiallyResulted'], status: 'published' }
  }
}
