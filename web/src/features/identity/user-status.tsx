import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'

const roles: Record<string, string> = {
  'operator-admin': t('Administrator'),
  fulfilment: t('Packing'),
  lab: t('Laboratory'),
  reviewer: t('Review'),
  provider: t('Provider'),
  'business-admin': t('Administrator'),
  'business-viewer': t('Read only'),
}

export const roleName = (role: string): string => roles[role] ?? role

const states = {
  active: ['good', t('Active')],
  invited: ['info', t('Invited')],
  disabled: ['idle', t('Disabled')],
} as const

export function UserStatus({ person }: { person: { status: keyof typeof states } }) {
  const [tone, word] = states[person.status]
  return <StatusDot tone={tone}>{word}</StatusDot>
}
