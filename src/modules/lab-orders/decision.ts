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
  'placeUnknown',
  'notTestedThere',
  'notAllowedThere',
  'full',
  'answerMissing',
  'refused',
  'changeRefused',
  'cancelRefused',
  'answeredOtherwise',
  'numberTaken',
  'laboratoryGone',
  'noAnswer',
  'answerUnclear',
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
 * priority. `only`: a person chose it, so that neither its room matters, nor the place.
 */
export function route<L extends Candidate>(laboratories: readonly L[], wanted: Wanted, only?: string): Routed<L> {
  const open = laboratories.filter(({ id, isActive }) => (only === undefined ? isActive : id === only))
  if (open.length === 0) return { problem: 'noLaboratory' }
  const testing = open.flatMap((laboratory): { laboratory: L; test: L['tests'][number] }[] => {
    const test = laboratory.tests.find(({ kitType }) => kitType === wanted.kitType)
    return test ? [{ laboratory, test }] : []
  })
  if (testing.length === 0) return { problem: 'notTestedHere' }
  if (only !== undefined && testing[0]) return testing[0]
  const there = testing.filter(({ laboratory }) => serves(laboratory, wanted))
  const isUnknown = testing.some(({ laboratory }) => mayServe(laboratory, wanted))
  if (there.length === 0) return { problem: isUnknown ? 'placeUnknown' : 'notTestedThere' }
  const [first] = there
    .filter(({ laboratory }) => hasRoom(laboratory, wanted))
    .sort((a, b) => a.laboratory.priority - b.laboratory.priority || (a.laboratory.id < b.laboratory.id ? -1 : 1))
  return first ?? { problem: 'full' }
}

const serves = ({ countries, states: served }: Candidate, { country, state }: Wanted): boolean =>
  (countries.length === 0 || countries.includes(country ?? '')) &&
  (served.length === 0 || served.includes(state?.toUpperCase() ?? ''))

/** The same, if what is not known of the place were right. */
const mayServe = ({ countries, states: served }: Candidate, { country, state }: Wanted): boolean =>
  (countries.length === 0 || !country || countries.includes(country)) &&
  (served.length === 0 || !state || served.includes(state.toUpperCase()))

const hasRoom = ({ id, capacityPerDay }: Candidate, { routedToday }: Wanted): boolean =>
  capacityPerDay === null || (routedToday.get(id) ?? 0) < capacityPerDay

/** The code of a message that was taken back before it was answered. */
export const WITHDRAWN = 'WITHDRAWN'

/** What was said to a laboratory of an order under one of its numbers, and what it answered last. */
export interface Said {
  /** Of the number: the first, or the one of an order that was placed anew. */
  round: number
  action: LabOrderAction
  outcome: Outcome | null
  code: string | null
  /** The laboratory's numbers, the one that counts last. */
  fillerNumbers: readonly string[]
  isNumberTaken: boolean
  /** A person has settled it. */
  isSettled: boolean
}

type Held = 'no' | 'maybe' | 'yes'

/** Whether a laboratory has an order under a number, by its own last answers, in whatever order they came. */
export function isHeld(said: readonly Said[], round: number): Held {
  const own = said.filter((one) => one.round === round)
  const placed = own.find(({ action }) => action === 'new')
  const is = (wanted: LabOrderAction) => own.some(({ action, outcome }) => action === wanted && outcome === 'accepted')
  if (!placed || is('cancel')) return 'no'
  // What was taken back may have arrived.
  if (placed.outcome === 'refused' && placed.code !== WITHDRAWN) return 'no'
  return is('new') || is('change') ? 'yes' : 'maybe'
}

const roundsOf = (said: readonly Said[]): number[] => [...new Set(said.map(({ round }) => round))].reverse()

/** The number under which an order is to be canceled next: a laboratory has it, or may have it, and was not told yet. */
export const toCancel = (said: readonly Said[]): number | undefined =>
  roundsOf(said).find(
    (round) => isHeld(said, round) !== 'no' && !said.some((one) => one.round === round && one.action === 'cancel'),
  )

/** Whether no laboratory has an order, or may have it, under any of its numbers. */
export const isFree = (said: readonly Said[]): boolean => roundsOf(said).every((round) => isHeld(said, round) === 'no')

/** Whether a laboratory has said that it answers later, and has not: of the order, a change or its cancellation. */
export const isAwaited = (said: readonly Said[]): boolean =>
  roundsOf(said).some(
    (round) => isHeld(said, round) !== 'no' && said.findLast((one) => one.round === round)?.outcome === 'received',
  )

/** How an order stands, and what it waits for. */
export interface Standing {
  state: LabOrderState
  attention: Attention | null
  pending: LabOrderAction | null
}

/** What an order is now, beside what was said of it. */
interface Order extends Standing {
  /** Of the number that it has now. */
  round: number
  fillerNumber: string | null
}

/** The same, and the message whose answer a person must look at. */
export interface Stood<S extends Said> extends Order {
  because: S | undefined
}

/**
 * How an order stands by all that was said of it, each of its numbers by itself. `isWanted`: its kit is to be tested. What was to be
 * said, and why it could not be, is taken from before where it still holds.
 */
export function standing<S extends Said>(before: Order, said: readonly S[], isWanted: boolean): Stood<S> {
  const other = roundsOf(said).find((round) => round !== before.round && isHeld(said, round) === 'yes')
  const isUnsaid = said.every(({ round }) => round !== before.round)
  // A laboratory says after all that it has the order, and no other one has heard of it.
  if (isWanted && isOpen(before.state) && isUnsaid && other !== undefined) {
    const [fillerNumber = null] = said.flatMap((one) => (one.round === other ? one.fillerNumbers.slice(-1) : []))
    return standing({ ...before, round: other, fillerNumber, pending: 'change' }, said, isWanted)
  }
  const pending = pendingOf(before, said, isWanted)
  const state = stateOf({ ...before, pending }, said, isWanted)
  return { ...before, state, pending, ...attentionOf({ ...before, state, pending }, said) }
}

function pendingOf({ state, pending, round }: Order, said: readonly Said[], isWanted: boolean): Standing['pending'] {
  if (state === 'completed' || state === 'closed') return null
  if (!isWanted) return toCancel(said) === undefined ? null : 'cancel'
  // It may be for another person than the one who is registered by now: nothing is placed beside it.
  const isKept = said.some(
    (one) => one.action === 'cancel' && one.outcome === 'refused' && isHeld(said, one.round) !== 'no',
  )
  if (pending === 'new') return isKept ? null : pending
  return pending === 'change' && isHeld(said, round) !== 'no' ? pending : null
}

function stateOf({ state, attention, pending, round }: Order, said: readonly Said[], isWanted: boolean): LabOrderState {
  if (state === 'completed' || state === 'closed') return state
  const own = said.filter((one) => one.round === round)
  const [placed] = own
  if (!placed) return !isWanted ? 'canceled' : attention !== null && isRouting(attention) ? 'unrouted' : 'queued'
  const held = isHeld(said, round)
  if (held === 'yes') return 'accepted'
  const cancellation = own.findLast(({ action }) => action === 'cancel')
  if (held === 'maybe') return placed.outcome === 'received' || cancellation?.outcome === 'refused' ? 'sent' : 'queued'
  return !isWanted || pending === 'new' || cancellation?.outcome === 'accepted' ? 'canceled' : 'refused'
}

const routing: readonly Attention[] = [
  'noLaboratory',
  'notTestedHere',
  'placeUnknown',
  'notTestedThere',
  'notAllowedThere',
  'full',
  'answerMissing',
]
const isRouting = (attention: Attention): boolean => routing.includes(attention)
/** Why nothing can be said, or nothing was answered: it holds until something is. */
const problems: readonly (Attention | null)[] = [null, ...routing, 'laboratoryGone', 'noAnswer', 'answerUnclear']
/** Whether nothing that the laboratory said is behind it. */
export const isProblem = (attention: Attention | null): boolean => problems.includes(attention)

function attentionOf<S extends Said>(
  { state, attention, pending, round, fillerNumber }: Order,
  said: readonly S[],
): Pick<Stood<S>, 'attention' | 'because'> {
  const isCurrent = (one: number) => one === round && state !== 'closed' && state !== 'canceled'
  const lastOf = (one: number) => said.findLast((message) => message.round === one)
  // What a person has settled counts again once the laboratory says something else.
  const isSettled = (one: number) => said.every((message) => message.round !== one || message.isSettled)
  const held = roundsOf(said).filter((one) => isHeld(said, one) !== 'no' && !isSettled(one))
  const isRefused = (one: number, action: LabOrderAction) =>
    lastOf(one)?.action === action && lastOf(one)?.outcome === 'refused'
  const kept = held.find((one) => isRefused(one, 'cancel') && (isOpen(state) || !isCurrent(one)))
  const beside = held.find(
    (one) => !isCurrent(one) && isHeld(said, one) === 'yes' && pending !== 'cancel' && lastOf(one)?.action !== 'cancel',
  )
  if (beside !== undefined) return { attention: 'answeredOtherwise', because: said.find((one) => one.round === beside) }
  if (kept !== undefined) return { attention: 'cancelRefused', because: lastOf(kept) }
  if (!isOpen(state)) return { attention: null, because: undefined }
  if (state === 'refused') return { attention: 'refused', because: said.find((one) => one.round === round) }
  if (held.includes(round)) {
    const isTaken = (one: Said) => one.isNumberTaken && one.fillerNumbers.at(-1) === fillerNumber
    if (said.some((one) => one.round === round && isTaken(one))) return { attention: 'numberTaken', because: undefined }
    if (isRefused(round, 'change')) return { attention: 'changeRefused', because: lastOf(round) }
  }
  return { attention: isProblem(attention) ? attention : null, because: undefined }
}

/** Whether the laboratory may still work on an order. */
export const isOpen = (state: LabOrderState): boolean =>
  state === 'unrouted' || state === 'queued' || state === 'sent' || state === 'accepted' || state === 'refused'

const FIRST_MS = 10_000
const LONGEST_MS = 3_600_000
/** From so many tries on, about five minutes, somebody must look. */
export const TRIES_BEFORE_ATTENTION = 6

/** How long after the nth try without an answer the message is sent again. */
export const pauseMs = (tries: number): number => Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(tries - 1, 20))
