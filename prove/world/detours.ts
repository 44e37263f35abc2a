import type { Random } from '../random.ts'

// What goes otherwise on the way of a kit, and who mends it.

interface TroubleRow {
  /** What the carrier says. */
  event: string
  outcome: string
  state: 'waiting' | 'undecided' | 'needsNewKit'
  /** Whoever reports it has the box in hand. */
  isInHand: boolean
  remedies: readonly Remedy[]
  /** What plays it in the sandbox. */
  scenario?: string
}

/** open: nobody decides. arrives: the carrier delivers it after all. */
const remedies = ['open', 'arrives', 'again', 'replaced', 'closed'] as const
export type Remedy = (typeof remedies)[number]
const isBack = { isInHand: true, remedies: ['open', 'again', 'again', 'replaced', 'closed'] } as const
const isGone = { state: 'needsNewKit', remedies: ['open', 'arrives', 'replaced', 'closed'] } as const

export const troubles = {
  pickup: { event: 'available_for_pickup', outcome: 'waitingForPickup', state: 'waiting', isInHand: false, remedies },
  notDelivered: {
    event: 'exception',
    outcome: 'notDelivered',
    state: 'undecided',
    isInHand: false,
    remedies,
    scenario: 'deliveryException',
  },
  returned: {
    event: 'return_to_sender',
    outcome: 'returnedToSender',
    state: 'undecided',
    ...isBack,
    scenario: 'returnedBox',
  },
  refused: { event: 'refused', outcome: 'refused', state: 'undecided', ...isBack },
  damaged: { event: 'damaged', outcome: 'damaged', isInHand: true, ...isGone },
  lost: { event: 'lost', outcome: 'lost', isInHand: false, ...isGone, scenario: 'lost' },
} as const satisfies Record<string, TroubleRow>
export type Trouble = keyof typeof troubles

/** Who can mend each cause: clock: nobody does in time. discard: the laboratory throws it away. */
const ends = {
  notRegistered: ['person', 'business', 'discard', 'clock', 'open'],
  consentMissing: ['person', 'business', 'discard', 'clock', 'open', 'erased'],
  nameDiffers: ['person', 'otherName', 'business', 'correction', 'discard', 'clock', 'open', 'erased'],
  collectionDateMissing: ['person', 'business', 'laboratory', 'discard', 'clock', 'open', 'erased'],
  labelUnreadable: ['business', 'laboratory', 'discard', 'clock', 'open', 'erased'],
} as const
export type HoldCause = keyof typeof ends
export type HoldEnd = (typeof ends)[HoldCause][number]
const causes = Object.keys(ends) as HoldCause[]

export interface TroublePlan {
  is: Trouble
  /** A packer says it, not the carrier. */
  isReported: boolean
  remedy: Remedy
  by: 'link' | 'business' | 'operator'
  isReaddressed: boolean
}

export interface DetourPlan {
  /** plain: no box that is known. retail: the person registers it by the serial number of the box. */
  box: 'plain' | 'sealed' | 'retail'
  /** Its first shipment is taken back, and it goes out in another box. */
  isRepacked: boolean
  trouble?: TroublePlan | undefined
  /** The person registers on the page. */
  isOnPage: boolean
  /** The date of birth is corrected after the registration. */
  isCorrected: boolean
  hold?: { cause: HoldCause; end: HoldEnd } | undefined
  /** A kit is sent in place of a rejected one. */
  isReplaced: boolean
}

export function detoursOf(random: Random, mode: 'live' | 'sandbox'): DetourPlan {
  const isLive = mode === 'live'
  const sealed = random.fraction()
  const box = !isLive || sealed < 0.55 ? 'plain' : sealed < 0.75 ? 'sealed' : 'retail'
  const trouble = troubleOf(random, isLive)
  const isTroubled = random.fraction() < 0.5 && box !== 'retail'
  const cause = random.pick(causes)
  const end = random.pick<HoldEnd>(ends[cause])
  const isHeld = random.fraction() < 0.5
  const hold = isLive
    ? { cause, end }
    : { cause: 'nameDiffers' as const, end: random.pick(['business', 'open'] as const) }
  return {
    box,
    isRepacked: isLive && random.fraction() < 0.3,
    isOnPage: isLive && random.fraction() < 0.3,
    isCorrected: isLive && random.fraction() < 0.3,
    isReplaced: random.fraction() < 0.5,
    ...(isTroubled && { trouble }),
    ...(isHeld && { hold }),
  }
}

/** How far a kit is when the lot of its box is recalled. */
export const recallStages = [
  ...(['shipped', 'delivered', 'registered', 'received', 'rejected', 'reported', 'published', 'corrected'] as const),
]
type Tour = Partial<DetourPlan> & { until?: (typeof recallStages)[number] }

/** Every trouble with every remedy, every hold with every end, and a recall at every stage: a small world has them all. */
const tours: readonly Tour[] = [
  ...recallStages.map((until): Tour => ({ box: 'sealed', trouble: undefined, hold: undefined, until })),
  ...(Object.keys(troubles) as Trouble[]).flatMap((is, index) =>
    remediesOf(is).map((remedy): Partial<DetourPlan> => {
      const by = remedy === 'again' ? (['link', 'operator', 'business'] as const)[index % 3] : 'business'
      const trouble = { is, isReported: remedy === 'closed', remedy, by: by ?? 'business', isReaddressed: true }
      return { box: 'sealed', trouble, hold: undefined }
    }),
  ),
  ...causes.flatMap((cause) =>
    ends[cause].map((end, index): Partial<DetourPlan> => {
      const box = (['retail', 'plain', 'sealed'] as const)[index % 3] ?? 'plain'
      return { box, trouble: undefined, hold: { cause, end } }
    }),
  ),
]

/** What the first journeys of every world go through. */
export const tourOf = (index: number): Tour | undefined => tours[index]

function remediesOf(is: Trouble): Remedy[] {
  return [...new Set<Remedy>(troubles[is].remedies)]
}

function troubleOf(random: Random, isLive: boolean): TroublePlan {
  const names = (Object.keys(troubles) as Trouble[]).filter((name) => isLive || 'scenario' in troubles[name])
  const is = random.pick(names)
  const { isInHand, remedies: all } = troubles[is]
  const isReported = isLive && random.fraction() < 0.4
  // Of a box in the operator's hands carriers say nothing more.
  const remedy = random.pick<Remedy>(all.filter((one) => one !== 'arrives' || !(isInHand && isReported)))
  const by = random.pick(['link', 'business', 'operator'] as const)
  const can = isLive && (remedy === 'again' || (remedy === 'closed' && by === 'operator'))
  return { is, isReported, remedy, by: can ? by : 'business', isReaddressed: random.fraction() < 0.5 }
}
