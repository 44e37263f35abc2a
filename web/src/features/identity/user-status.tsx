import { StatusDot } from '../../components/status-dot.tsx'

const roles: Record<string, string> = {
  'operator-admin': 'Administrator',
  fulfilment: 'Packing',
  lab: 'Laboratory',
  reviewer: 'Review',
  'business-admin': 'Administrator',
  'business-viewer': 'Read only',
}

export const roleName = (role: string): string => roles[role] ?? role

const states = { active: ['good', 'Active'], invited: ['info', 'Invited'], disabled: ['idle', 'Disabled'] } as const

export function UserStatus({ person }: { person: { status: keyof typeof states } }) {
  const [tone, word] = states[person.status]
  return <StatusDot tone={tone}>{word}</StatusDot>
}
