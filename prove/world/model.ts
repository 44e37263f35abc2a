import type { JourneyPlan, Stage } from './plan.ts'

/** An order that was acknowledged, and what was acknowledged about its first kit afterwards. */
export interface Lived {
  plan: JourneyPlan
  realm: string
  /** A single order, or those of a bulk job in the order of its rows. */
  orders: { id: string; externalId: string; kits: string[] }[]
  /** How far its first kit is known to be. */
  stage: Stage
  customerId?: number
  reportId?: string
  versions: number
  /** The order was refused, as its card demands. */
  isDeclined: boolean
  trackingNumber?: string
}

export const recipientOf = ({ name }: JourneyPlan) => `${name}r`
export const personOf = ({ name }: JourneyPlan) => `${name}p`
export const BORN = { year: '1961', month: '3', day: '9' }
export const bornOn = '1961-03-09'

const order: readonly Stage[] = [
  ...([
    'placed',
    'shipped',
    'delivered',
    'registered',
    'received',
    'reported',
    'published',
    'corrected',
    'erased',
  ] as const),
]

/** Whether a kit that goes to `stage` passes `step`. */
export function passes(stage: Stage, step: Stage): boolean {
  if (stage === 'canceled') return step === 'placed' || step === 'canceled'
  if (stage === 'rejected') return step === 'rejected' || order.indexOf(step) <= order.indexOf('received')
  return step !== 'canceled' && step !== 'rejected' && order.indexOf(step) <= order.indexOf(stage)
}

/** The statuses of a kit at a stage, as the contract's table has them. */
export function statusesAt(stage: Stage): { kitStatus: string; sampleStatus: string[]; status: string } {
  const before = { sampleStatus: ['awaitingCollection'], status: 'notStarted' }
  switch (stage) {
    case 'placed':
      return { kitStatus: 'preparing', ...before }
    case 'canceled':
      return { kitStatus: 'canceled', sampleStatus: ['canceled'], status: 'notStarted' }
    case 'shipped':
      return { kitStatus: 'inTransit', ...before }
    case 'delivered':
      return { kitStatus: 'delivered', ...before }
    case 'registered':
      return { kitStatus: 'registered', ...before }
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
