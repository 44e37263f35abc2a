import { optionsOf, type StatusLabel } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'

const words = {
  pending: { label: t('Waiting'), tone: 'info' },
  delivered: { label: t('Delivered'), tone: 'good' },
  failed: { label: t('Failed'), tone: 'bad' },
} as const satisfies Record<string, StatusLabel>

export const deliveryLabel = (status: keyof typeof words): StatusLabel => words[status]

export const deliveryOptions = optionsOf(words)

interface Endpoint {
  enabled: boolean
  disabledReason?: 'business' | 'gone' | 'failing'
}

const disabled = {
  business: t('Switched off by your team'),
  gone: t('Switched off: the server answered 410 Gone'),
  failing: t('Switched off: deliveries failed for days'),
} as const

export function endpointLabel({ enabled, disabledReason }: Endpoint): StatusLabel {
  if (enabled) return { label: t('On'), tone: 'good' }
  return { label: disabled[disabledReason ?? 'business'], tone: disabledReason === 'business' ? 'idle' : 'bad' }
}
