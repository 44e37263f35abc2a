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

export const stateOptions = Object.entries(states).map(([value, { label }]) => ({ value, label }))
export const outcomeOptions = Object.entries(outcomeWords).map(([value, label]) => ({ value, label }))
