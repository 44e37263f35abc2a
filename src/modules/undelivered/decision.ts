// What became of a box that did not reach its recipient, and who has to act. It stands beside the kit's status.

export const outcomes = [
  'waitingForPickup',
  'notDelivered',
  'returnedToSender',
  'refused',
  'damaged',
  'lost',
  'labelCanceled',
] as const
export type ParcelOutcome = (typeof outcomes)[number]

/** States in which somebody has to act. */
export const openStates = ['waiting', 'undecided', 'awaitingBox', 'readyToSend', 'needsNewKit'] as const
export const states = [...openStates, 'underWay', 'sentAgain', 'replaced', 'arrived', 'closed'] as const
export type UndeliveredState = (typeof states)[number]

export const choices = ['sendAgain', 'replace', 'close'] as const
export type Choice = (typeof choices)[number]

/** The part of an undelivered box that the rules read. */
export interface Undelivered {
  outcome: ParcelOutcome
  state: UndeliveredState
  /** The operator has the box in hand. */
  isHere: boolean
}

/** What happened: a carrier or a person said it, the kit moved, or somebody chose what is done. */
export type Happening =
  | { is: 'carrier' | 'reported'; outcome: ParcelOutcome }
  | { is: 'moving' | 'delivered' | 'registered' | 'sampleTaken' | 'sent' | 'unsent' }
  | { is: Choice }

export const isOpen = ({ state }: Undelivered): boolean => openStates.some((one) => one === state)
const isGivenUp = ({ state }: Undelivered): boolean => state === 'replaced' || state === 'closed'
const needsNewKit = (outcome: ParcelOutcome): boolean => outcome === 'damaged' || outcome === 'lost'

/** Outcomes that a person reports of a box in their hands. */
const isInHand = (outcome: ParcelOutcome): boolean =>
  outcome === 'returnedToSender' || outcome === 'refused' || outcome === 'damaged'

function begun(outcome: ParcelOutcome, isHere: boolean): Undelivered {
  if (needsNewKit(outcome)) return { outcome, isHere, state: 'needsNewKit' }
  return { outcome, isHere, state: outcome === 'waitingForPickup' ? 'waiting' : 'undecided' }
}

/**
 * The box after what happened. The same value where it changes nothing. Undefined: a choice that is refused, or something
 * about a box that was never in trouble.
 */
export function next(now: Undelivered | undefined, happening: Happening): Undelivered | undefined {
  if (happening.is === 'carrier') return afterCarrier(now, happening.outcome)
  if (happening.is === 'reported') return afterReport(now, happening.outcome)
  if (!now) return undefined
  switch (happening.is) {
    case 'moving':
      return isOpen(now) && !now.isHere ? { ...now, state: 'underWay' } : now
    case 'registered':
      // Whoever registers the ID of a box in the operator's hands does not have the box.
      return now.isHere || isGivenUp(now) ? now : arrived(now)
    case 'delivered':
      return isGivenUp(now) ? now : arrived(now)
    case 'sampleTaken':
      return arrived(now)
    case 'sent':
      return isOpen(now) && now.isHere ? { ...now, state: 'sentAgain', isHere: false } : now
    case 'unsent':
      return now.state === 'sentAgain' ? { ...now, state: 'readyToSend', isHere: true } : now
    case 'sendAgain':
      return afterSendAgain(now)
    case 'replace':
      return afterGivingUp(now, 'replaced')
    case 'close':
      return afterGivingUp(now, 'closed')
  }
}

const arrived = (now: Undelivered): Undelivered => ({ ...now, state: 'arrived', isHere: false })

function afterCarrier(now: Undelivered | undefined, outcome: ParcelOutcome): Undelivered {
  if (!now || (!isOpen(now) && !isGivenUp(now))) return begun(outcome, false)
  if (now.isHere || isGivenUp(now)) return now
  return now.state === 'awaitingBox' && !needsNewKit(outcome) ? { ...now, outcome } : begun(outcome, false)
}

function afterReport(now: Undelivered | undefined, outcome: ParcelOutcome): Undelivered {
  const isHere = isInHand(outcome)
  if (now && isGivenUp(now)) return { ...now, isHere }
  const isDecided = now?.state === 'awaitingBox' || now?.state === 'readyToSend'
  if (!isDecided || needsNewKit(outcome)) return begun(outcome, isHere)
  return { outcome, isHere, state: isHere ? 'readyToSend' : 'awaitingBox' }
}

function afterSendAgain(now: Undelivered): Undelivered | undefined {
  if (now.state === 'awaitingBox' || now.state === 'readyToSend') return now
  if (now.state !== 'undecided' && now.state !== 'waiting') return undefined
  return { ...now, state: now.isHere ? 'readyToSend' : 'awaitingBox' }
}

function afterGivingUp(now: Undelivered, state: 'replaced' | 'closed'): Undelivered | undefined {
  if (now.state === state) return now
  return isOpen(now) ? { ...now, state } : undefined
}

interface Chosen extends Undelivered {
  isReplaceable?: boolean
  isErased?: boolean
  isRecalled?: boolean
}

/**
 * What can be chosen now. Of a kit that somebody registered there is nothing to replace, a recalled one is not sent again, and to an erased
 * person nothing is sent.
 */
export const choicesOf = (now: Chosen): Choice[] =>
  choices.filter(
    (is) =>
      isOpen(now) &&
      next(now, { is }) !== undefined &&
      (is !== 'replace' || now.isReplaceable !== false) &&
      (is !== 'sendAgain' || !now.isRecalled) &&
      (is === 'close' || !now.isErased),
  )
