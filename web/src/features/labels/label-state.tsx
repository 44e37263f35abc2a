import type { Answer } from '@kitlane/client'
import { Text } from '@mantine/core'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'

export type ShippingLabel = Answer<'get', '/operator/v1/fulfilment/labels/{kitID}'>['labels'][number]

export const legs: Record<ShippingLabel['leg'], string> = { toUser: t('Label out'), toLab: t('Return label') }

const states: Record<ShippingLabel['state'], { tone: 'good' | 'fair' | 'bad' | 'idle'; label: string }> = {
  queued: { tone: 'fair', label: t('Being bought') },
  bought: { tone: 'good', label: t('Bought') },
  used: { tone: 'good', label: t('Used') },
  refused: { tone: 'bad', label: t('Not bought') },
  voiding: { tone: 'fair', label: t('Being voided') },
  voided: { tone: 'idle', label: t('Voided') },
  voidRefused: { tone: 'bad', label: t('Not refunded') },
  withdrawn: { tone: 'idle', label: t('Withdrawn before it was bought') },
  closed: { tone: 'idle', label: t('Closed by a person') },
}
export const stateOptions = Object.entries(states).map(([value, { label }]) => ({ value, label }))

export function LabelState({ label }: { label: Pick<ShippingLabel, 'state' | 'sentence'> }) {
  const { tone, label: word } = states[label.state]
  return (
    <>
      <StatusDot tone={tone}>{word}</StatusDot>
      {label.sentence && (
        <Text size="sm" c="dimmed">
          {label.sentence}
        </Text>
      )}
    </>
  )
}
