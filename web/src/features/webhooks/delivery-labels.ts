import { optionsOf, type StatusLabel } from '../../components/status-label.ts'

const words = {
  pending: { label: 'Waiting', tone: 'info' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
} as const satisfies Record<string, StatusLabel>

export const deliveryLabel = (status: keyof typeof words): StatusLabel => words[status]

export const deliveryOptions = optionsOf(words)

interface Endpoint {
  enabled: boolean
  disabledReason?: 'business' | 'gone' | 'failing'
}

const disabled = {
  business: 'Switched off by your team',
  gone: 'Switched off: the server answered 410 Gone',
  failing: 'Switched off: deliveries failed for days',
} as const

export function endpointLabel({ enabled, disabledReason }: Endpoint): StatusLabel {
  if (enabled) return { label: 'On', tone: 'good' }
  return { label: disabled[disabledReason ?? 'business'], tone: disabledReason === 'business' ? 'idle' : 'bad' }
}
