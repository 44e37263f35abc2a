export const states = ['unrouted', 'queued', 'sent', 'accepted', 'refused', 'canceled', 'completed', 'closed'] as const
export type LabOrderState = (typeof states)[number]

/** What is said to a laboratory: ORC-1 NW, XO and CA. */
export const actions = ['new', 'change', 'cancel'] as const
export type LabOrderAction = (typeof actions)[number]

/** received: it has the message, and says later what becomes of the order. */
export const outcomes = ['accepted', 'refused', 'received'] as const
export type Outcome = (typeof outcomes)[number]

/** Why a person must look at an order. */
export const attentions = [
  'noLaboratory',
  'notTestedHere',
  'notTestedThere',
  'full',
  'answerMissing',
  'refused',
  'changeRefused',
  'cancelRefused',
  'answeredOtherwise',
  'numberTaken',
  'laboratoryGone',
  'noAnswer',
] as const
export type Attention = (typeof attentions)[number]

interface Wanted {
  kitType: string
  country: string | undefined
  state: string | undefined
  /** How many orders each laboratory was given today, by its ID. */
  routedToday: ReadonlyMap<string, number>
}

/** What decides whether a laboratory can take an order. */
interface Candidate {
  id: string
  isActive: boolean
  priority: number
  countries: readonly string[]
  states: readonly string[]
  capacityPerDay: number | null
  tests: readonly { kitType: string }[]
}

export type Routed<L extends Candidate> = { laboratory: L; test: L['tests'][number] } | { problem: Attention }

/**
 * The laboratory of an order: of those that test its kit type, where its person lives, and have room today, the one of lowest
 * priority. `only`: a person chose it, so that its room is no matter. A place that is not known fits laboratories without limits only.
 */
export function route<L extends Candidate>(laboratories: readonly L[], wanted: Wanted, only?: string): Routed<L> {
  const open = laboratories.filter(({ id, isActive }) => (only === undefined ? isActive : id === only))
  if (open.length === 0) return { problem: 'noLaboratory' }
  const testing = open.flatMap((laboratory): { laboratory: L; test: L['tests'][number] }[] => {
    const test = laboratory.tests.find(({ kitType }) => kitType === wanted.kitType)
    return test ? [{ laboratory, test }] : []
  })
  if (testing.length === 0) return { problem: 'notTestedHere' }
  const there = testing.filter(({ laboratory }) => serves(laboratory, wanted))
  if (there.length === 0) return { problem: 'notTestedThere' }
  const free = there.filter(({ laboratory }) => only !== undefined || hasRoom(laboratory, wanted))
  const [first] = free.sort(
    (a, b) => a.laboratory.priority - b.laboratory.priority || (a.laboratory.id < b.laboratory.id ? -1 : 1),
  )
  return first ?? { problem: 'full' }
}

const serves = ({ countries, states: served }: Candidate, { country, state }: Wanted): boolean =>
  (countries.length === 0 || countries.includes(country ?? '')) &&
  (served.length === 0 || served.includes(state?.toUpperCase() ?? ''))

const hasRoom = ({ id, capacityPerDay }: Candidate, { routedToday }: Wanted): boolean =>
  capacityPerDay === null || (routedToday.get(id) ?? 0) < capacityPerDay

/** How an order stands, and what it waits for. */
export interface Standing {
  state: LabOrderState
  attention: Attention | null
  pending: LabOrderAction | null
}

/** An order after the laboratory answered what was said. `pending`: what was to be said next. */
export function answered({ state, attention, pending }: Standing, action: LabOrderAction, outcome: Outcome): Standing {
  const again = pending === 'new' ? pending : null
  if (outcome === 'received') {
    return { state: action === 'new' ? 'sent' : state, attention: state === 'refused' ? attention : null, pending }
  }
  if (outcome === 'accepted') {
    if (action === 'cancel') return { state: 'canceled', attention: null, pending: again }
    return { state: state === 'completed' ? state : 'accepted', attention: null, pending }
  }
  // What was never accepted needs no cancellation.
  if (action === 'new' && pending === 'cancel') return { state: 'canceled', attention: null, pending: null }
  if (action === 'new') return { state: 'refused', attention: 'refused', pending: null }
  const isWithout = state === 'refused' || state === 'canceled'
  if (action === 'change') return { state, attention: isWithout ? attention : 'changeRefused', pending }
  if (isWithout) return { state: 'canceled', attention: null, pending: again }
  // The order stands, perhaps for another person than the one who is registered by now: nothing is placed beside it.
  return { state: state === 'queued' ? 'sent' : state, attention: 'cancelRefused', pending: null }
}

/**
 * An order after the laboratory answered a message that it had only received. `since`: what was said of the order after that
 * message, which the laboratory may have answered before. `isWanted`: the kit is to be tested.
 */
export function answeredLater(
  standing: Standing,
  action: LabOrderAction,
  { outcome, since, isWanted }: { outcome: Outcome; since: readonly LabOrderAction[]; isWanted: boolean },
): Standing {
  const { state, attention, pending } = standing
  const isOver = state === 'canceled' || state === 'completed' || state === 'closed'
  if (isOver || (action === 'change' && since.length > 0)) return standing
  if (action !== 'new' || since.length === 0) return answered(standing, action, outcome)
  if (outcome === 'accepted')
    return { state: 'accepted', attention: attention === 'noAnswer' ? null : attention, pending }
  // It need not be canceled any more, and may be placed anew at once.
  if (!isWanted || pending === 'new') return { state: 'canceled', attention: null, pending: isWanted ? pending : null }
  return answered(standing, action, outcome)
}

/** What is to be said of an order whose kit is not to be tested any more; `isSaid`: the laboratory may have heard of it. */
export function withdrawn({ state, attention }: Standing, isSaid: boolean): Standing {
  const isOver = state === 'refused' || !isSaid
  if (isOver) return { state: 'canceled', attention: null, pending: null }
  // Until it is said it may be wanted again.
  return { state, attention, pending: 'cancel' }
}

/** Whether the laboratory may still work on an order. */
export const isOpen = (state: LabOrderState): boolean =>
  state === 'unrouted' || state === 'queued' || state === 'sent' || state === 'accepted' || state === 'refused'

const FIRST_MS = 10_000
const LONGEST_MS = 3_600_000
/** From so many tries on, about six hours, somebody must look. */
export const TRIES_BEFORE_ATTENTION = 14

/** How long after the nth try without an answer the message is sent again. */
export const pauseMs = (tries: number): number => Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tries - 1, 20))
