import { type Sentence, sentence } from '@kitlane/display/sentence'
import { isOpen, type ParcelOutcome, type Undelivered, type UndeliveredState } from './decision.ts'
import type { UndeliveredRow } from './queries.ts'

/** Why a kit is in an exception, where nobody says more. */
export const reasons: Record<ParcelOutcome, string> = {
  waitingForPickup: 'The parcel waits at a post office or a shop: the recipient has to fetch it',
  notDelivered: 'The carrier could not deliver the parcel',
  returnedToSender: 'The parcel came back to the sender',
  refused: 'The recipient refused the parcel',
  damaged: 'The parcel is damaged',
  lost: 'The parcel is lost',
  labelCanceled: 'The label of the parcel was canceled',
}

const todos: Record<UndeliveredState, Sentence> = {
  waiting: sentence('It waits at a post office or a shop. The recipient has to fetch it.'),
  undecided: sentence('Nobody has said yet where it goes. Ask the business or the recipient.'),
  awaitingBox: sentence('It goes out again once it is back. Scan it when it arrives.'),
  readyToSend: sentence('Put a new label on it and send it again.'),
  needsNewKit: sentence('It is lost or damaged. The business can order a replacement.'),
  underWay: sentence('The carrier has it again. Nothing to do.'),
  sentAgain: sentence('It was sent again. Nothing to do.'),
  replaced: sentence('Another kit was sent in its place. Nothing to do.'),
  arrived: sentence('It reached its recipient. Nothing to do.'),
  closed: sentence('The business wants nothing more done with it.'),
}

/** What to do with a box, for the person at the station. */
export function todoOf(box: Undelivered & Partial<UndeliveredRow>): Sentence {
  const { state, isHere, outcome, isErased, isRecalled, replacedBy } = box
  if (isRecalled && (isHere || (isOpen(box) && state !== 'needsNewKit')))
    return sentence('It was recalled. Do not send it again: destroy it.')
  if (replacedBy && state === 'needsNewKit') return todos.replaced
  if (isErased && isOpen(box))
    return isHere
      ? sentence('The person was erased: nothing is sent any more. Destroy it, or put it into stock.')
      : sentence('The person was erased: nothing is sent any more.')
  if (isHere && state === 'undecided') return sentence('Keep it on the shelf: nobody has said yet where it goes.')
  if (isHere && state === 'needsNewKit')
    return sentence('It is damaged. Keep it apart; the business can order a replacement.')
  if (isHere && state === 'replaced')
    return sentence('Another kit was sent in its place. Destroy it, or put it into stock.')
  if (isHere && state === 'closed')
    return sentence('The business wants nothing more done with it. Destroy it, or put it into stock.')
  if (state === 'awaitingBox' && outcome === 'labelCanceled')
    return sentence('It has probably not left. Look for it and scan it.')
  return todos[state]
}
