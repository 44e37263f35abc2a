import { createHash } from 'node:crypto'
import { type Line, lines } from '../lab-orders/laboratory.ts'
import { type Random, randomOf } from '../random.ts'
import { type DetourPlan, detoursOf, recallStages, tourOf } from './detours.ts'
import { type Fault, faults } from './faults.ts'

/** How far a kit travels. */
export const stages = [
  ...(['placed', 'canceled', 'shipped', 'delivered', 'registered', 'withdrawn', 'received', 'rejected'] as const),
  ...(['reported', 'published', 'corrected', 'erased'] as const),
]
export type Stage = (typeof stages)[number]

/** What one order and its first kit are to go through. */
export interface JourneyPlan extends DetourPlan {
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
  /** The lot of its box is recalled when it has come as far as it goes. */
  isRecalled: boolean
  /** Every change is sent a second time with its key, as by a client that lost the answer. */
  isRepeated: boolean
  /** Over which line the laboratory of its person takes orders. */
  line: Line
  /** By which number results name their kit. */
  resultsBy: 'kit' | 'accession' | 'placer' | 'filler'
  /** The laboratory sends the whole panel, and not glucose alone. */
  isWhole: boolean
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
// The canaries have three digits.
const MOST_JOURNEYS = 1000

/** Derives every input and every fault of a world from its seed. */
export function planOf(seed: number, journeyCount: number): WorldPlan {
  if (journeyCount > MOST_JOURNEYS) throw new Error(`A world has ${MOST_JOURNEYS} journeys at most: give more --seeds`)
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
  const tour = tourOf(index)
  const mode = tour || random.fraction() < 0.75 ? 'live' : 'sandbox'
  const dice = tour ? 1 : random.fraction()
  const how = dice < 0.1 ? 'bulk' : dice < 0.2 ? 'legacy' : 'single'
  const business = random.between(0, BUSINESSES - 1)
  const money = random.fraction()
  const plan: JourneyPlan = {
    name: `qz${business}${mode[0]}${String(index).padStart(3, '0')}`,
    business,
    mode,
    how,
    kits: how === 'bulk' ? BULK_ROWS : how === 'single' ? random.between(1, 3) : 1,
    pay: tour || how === 'bulk' || money < 0.6 ? 'credits' : money < 0.9 ? 'card' : 'declined',
    notify: random.fraction() < 0.7,
    until: random.pick(tour ? stages.slice(-4) : stages),
    isRepeated: random.fraction() < 0.3,
    line: random.pick(lines),
    resultsBy: random.pick(['kit', 'accession', 'placer', 'filler']),
    isWhole: random.fraction() < 0.5,
    value: 70 + random.between(1, 290) / 10,
    corrected: 70 + random.between(1, 290) / 10,
    ...detoursOf(random, mode),
    ...tour,
    isRecalled: false,
  }
  const { box, trouble, hold, until } = plan
  const isOnItsWay = box === 'sealed' && !trouble && !hold && recallStages.some((stage) => stage === until)
  return { ...plan, isRecalled: isOnItsWay && (tour !== undefined || index % 2 === 0) }
}
