import { createHash } from 'node:crypto'
import { type Random, randomOf } from '../random.ts'
import { type Fault, faults } from './faults.ts'

/** How far a kit travels. */
export const stages = [
  ...(['placed', 'canceled', 'shipped', 'delivered', 'registered', 'received', 'rejected'] as const),
  ...(['reported', 'published', 'corrected', 'erased'] as const),
]
export type Stage = (typeof stages)[number]

/** What one order and its first kit are to go through. */
export interface JourneyPlan {
  /** Its canaries begin with it: no other journey has the name. */
  name: string
  business: number
  mode: 'live' | 'sandbox'
  how: 'single' | 'legacy' | 'bulk'
  /** Kits of a single order, or rows of a bulk one. */
  kits: number
  pay: 'credits' | 'card' | 'declined'
  notify: boolean
  until: Stage
  /** Every change is sent a second time with its key, as by a client that lost the answer. */
  isRepeated: boolean
  /** Glucose in mg/dL, inside its reference interval, then the corrected one. */
  value: number
  corrected: number
}

export interface FaultPlan {
  fault: Fault
  /** The share of the journeys that have ended when it happens. */
  at: number
  seconds: number
}

export interface WorldPlan {
  seed: number
  journeys: JourneyPlan[]
  faults: FaultPlan[]
  /** Equal digests mean equal inputs and faults. */
  digest: string
}

export const BUSINESSES = 3
const BULK_ROWS = 20
const FAULTS = 6

/** Derives every input and every fault of a world from its seed. */
export function planOf(seed: number, journeyCount: number): WorldPlan {
  const random = randomOf(seed)
  const journeys = Array.from({ length: journeyCount }, (_, index) => journeyOf(random, index))
  const planned = Array.from({ length: FAULTS }, (_, index) => ({
    fault: random.pick(faults),
    at: (index + random.fraction()) / (FAULTS + 1),
    seconds: random.between(1, 3),
  }))
  const digest = createHash('sha256')
    .update(JSON.stringify([journeys, planned]))
    .digest('hex')
    .slice(0, 12)
  return { seed, journeys, faults: planned, digest }
}

function journeyOf(random: Random, index: number): JourneyPlan {
  const mode = random.fraction() < 0.75 ? 'live' : 'sandbox'
  const dice = random.fraction()
  const how = dice < 0.1 ? 'bulk' : dice < 0.2 ? 'legacy' : 'single'
  const business = random.between(0, BUSINESSES - 1)
  const money = random.fraction()
  return {
    name: `qz${business}${mode[0]}${String(index).padStart(3, '0')}`,
    business,
    mode,
    how,
    kits: how === 'bulk' ? BULK_ROWS : how === 'single' ? random.between(1, 3) : 1,
    pay: how === 'bulk' || money < 0.6 ? 'credits' : money < 0.9 ? 'card' : 'declined',
    notify: random.fraction() < 0.7,
    until: random.pick(stages),
    isRepeated: random.fraction() < 0.3,
    value: 70 + random.between(1, 290) / 10,
    corrected: 70 + random.between(1, 290) / 10,
  }
}
