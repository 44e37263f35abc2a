import type { components } from '@kitlane/client'
import type { StatusLabel } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

export type Box = components['schemas']['UndeliveredKit']

export const outcomeWords: Record<Box['outcome'], string> = {
  waitingForPickup: t('Waits at a post office'),
  notDelivered: t('Not delivered'),
  returnedToSender: t('Returned to sender'),
  refused: t('Refused'),
  damaged: t('Damaged'),
  lost: t('Lost'),
  labelCanceled: t('Label canceled'),
}

const states: Record<Box['state'], StatusLabel> = {
  waiting: { label: t('Recipient has to fetch it'), tone: 'fair' },
  undecided: { label: t('Where does it go?'), tone: 'bad' },
  awaitingBox: { label: t('Goes out again once it is back'), tone: 'info' },
  readyToSend: { label: t('Ready to be sent again'), tone: 'info' },
  needsNewKit: { label: t('Needs a new kit'), tone: 'bad' },
  underWay: { label: t('On its way again'), tone: 'good' },
  sentAgain: { label: t('Sent again'), tone: 'good' },
  replaced: { label: t('Replaced by another kit'), tone: 'good' },
  arrived: { label: t('Arrived'), tone: 'good' },
  closed: { label: t('Closed'), tone: 'idle' },
}

export const boxLabel = ({ state }: Pick<Box, 'state'>): StatusLabel => states[state]

const toDo: Partial<Record<Box['state'], string>> = {
  undecided: t('Nobody has said yet where it goes: choose what happens to it.'),
  awaitingBox: t('It goes out again once the operator has it back.'),
  readyToSend: t('The operator has it, and sends it again.'),
  needsNewKit: t('It is lost or damaged: replace the kit, or close this.'),
}

/** What its business has to do; the sentence of the service is for who has the box in hand. */
export const todoOfBusiness = ({ state, choices, todo }: Box): string =>
  (choices.some((one) => one !== 'close') && toDo[state]) || todo

export const stateOptions = Object.entries(states).map(([value, { label }]) => ({ value, label }))
export const outcomeOptions = Object.entries(outcomeWords).map(([value, label]) => ({ value, label }))
