import type { Tone } from '../../components/status-dot.tsx'

const words = {
  pending: { label: 'Waiting', tone: 'info' },
  delivered: { label: 'Delivered', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
} as const satisfies Record<string, { label: string; tone: Tone }>

export const deliveryWord = (status: keyof typeof words): { label: string; tone: Tone } => words[status]

export const deliveryOptions = Object.entries(words).map(([value, { label }]) => ({ value, label }))

interface Endpoint {
  enabled: boolean
  disabledReason?: 'business' | 'gone' | 'failing'
}

const disabled = {
  business: 'Switched off by your team',
  gone: 'Switched off: it answered that it is gone',
  failing: 'Switched off: it failed for days',
} as const

export function endpointWord({ enabled, disabledReason }: Endpoint): { label: string; tone: Tone } {
  if (enabled) return { label: 'On', tone: 'good' }
  return { label: disabled[disabledReason ?? 'business'], tone: disabledReason === 'business' ? 'idle' : 'bad' }
}
