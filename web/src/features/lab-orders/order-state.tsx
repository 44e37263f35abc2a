import type { components } from '@kitlane/client'
import { Stack, Text } from '@mantine/core'
import { StatusDot } from '../../components/status-dot.tsx'
import { optionsOf, type StatusLabel } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

export type LabOrder = components['schemas']['LabOrderOfAll']
export type Message = NonNullable<LabOrder['messages']>[number]
type State = LabOrder['state']

const states: Record<State, StatusLabel> = {
  unrouted: { label: t('No laboratory has it'), tone: 'fair' },
  queued: { label: t('Being sent'), tone: 'info' },
  sent: { label: t('Received, not answered yet'), tone: 'info' },
  accepted: { label: t('The laboratory has it'), tone: 'good' },
  refused: { label: t('Refused by the laboratory'), tone: 'bad' },
  canceled: { label: t('Canceled at the laboratory'), tone: 'idle' },
  completed: { label: t('All results are there'), tone: 'good' },
  closed: { label: t('Settled otherwise'), tone: 'idle' },
}
export const stateOptions = optionsOf(states)

const attentions: Record<NonNullable<LabOrder['attention']>, string> = {
  noLaboratory: t('No laboratory takes orders'),
  notTestedHere: t('No laboratory tests it'),
  placeUnknown: t('Where the person lives is not known'),
  notTestedThere: t('No laboratory serves the place'),
  notAllowedThere: t('Not for this person, or not there'),
  full: t('Every laboratory is full today'),
  answerMissing: t('An answer is missing'),
  refused: t('Refused by the laboratory'),
  changeRefused: t('A change was refused'),
  cancelRefused: t('It could not be canceled'),
  answeredOtherwise: t('Answered otherwise than before'),
  numberTaken: t('The number is of another kit'),
  laboratoryGone: t('The laboratory was removed'),
  noAnswer: t('The laboratory does not answer'),
  answerUnclear: t('The answer is not understood'),
}
export const attentionOptions = Object.entries(attentions).map(([value, label]) => ({ value, label }))

/** Whether the service lets a person send it to a laboratory: none has it, or may have it. */
export const canBeSent = (order: LabOrder): boolean =>
  ['unrouted', 'refused', 'canceled', 'closed'].includes(order.state) && !isHeld(order)

const numberOf = ({ controlID }: Message): string => controlID.slice(0, controlID.lastIndexOf('.'))

/** Whether a laboratory has it under one of its numbers, or may have: it took it, or never answered, and did not cancel it. */
const isHeld = ({ messages = [] }: LabOrder): boolean =>
  messages.some(
    (placed) =>
      placed.action === 'new' &&
      placed.outcome !== 'refused' &&
      !messages.some(
        (one) => one.action === 'cancel' && one.outcome === 'accepted' && numberOf(one) === numberOf(placed),
      ),
  )

const isOpen = ({ state }: LabOrder): boolean => ['unrouted', 'queued', 'sent', 'accepted', 'refused'].includes(state)

/** Whether it can be closed: it has not ended, or a person must look at it, and no message of it waits for the answer of a laboratory that is still there. */
export const canBeClosed = (order: LabOrder, isThere: (laboratoryID: string) => boolean): boolean =>
  (isOpen(order) || order.attention !== undefined) &&
  !order.messages?.some(({ outcome, laboratoryID }) => outcome === undefined && isThere(laboratoryID))

/** The messages for which a person can say what the laboratory answered. */
export const answerable = (order: LabOrder): Message[] => {
  const { attention, messages = [] } = order
  const isDoubtful = attention === 'answeredOtherwise' || attention === 'numberTaken'
  return messages.filter(
    ({ action, outcome }) =>
      (isOpen(order) && (outcome === undefined || outcome === 'received')) ||
      (isDoubtful && action === 'new' && outcome === 'accepted'),
  )
}

/** Why a person must look at an order, with what the laboratory said, or what is missing. */
export function Attention({ order: { attention, sentence, reason } }: { order: LabOrder }) {
  if (attention === undefined) return null
  return (
    <Stack gap={2}>
      <Text>{sentence}</Text>
      {reason && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {reasonText(attention, reason)}
        </Text>
      )}
    </Stack>
  )
}

function reasonText(attention: NonNullable<LabOrder['attention']>, reason: string): string {
  // A rule of ours, not what the laboratory said.
  if (attention === 'notAllowedThere') return reason
  if (attention === 'answerMissing') return t('It asks: {questions}', { questions: reason })
  if (reason === 'CONNECT FOLDER') return t('Its folder is not there, or the service may not write into it.')
  if (attention === 'noAnswer' || attention === 'answerUnclear') return t('At the last try: {code}', { code: reason })
  return t('The laboratory says: “{words}”', { words: reason })
}

/** What forbids it comes before where it is. */
export function OrderState({ state, attention }: { state: State; attention?: LabOrder['attention'] }) {
  const { label, tone }: StatusLabel =
    attention === 'notAllowedThere' ? { label: attentions[attention], tone: 'bad' } : states[state]
  return <StatusDot tone={tone}>{label}</StatusDot>
}
