import { useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readDensity, setDensity } from '../app/density.ts'
import { usePermissions } from '../app/permissions.ts'
import { useMaybeRealm, useRealmPath } from '../app/realm.tsx'
import { isOperator, signOut, useSession } from '../app/session.tsx'
import type { IconName } from '../components/icon.tsx'
import type { NavItem } from './navigation.ts'

export interface PaletteAction {
  label: string
  icon: IconName
  run: () => void
}

/** Pages of a business that are below others, and so not in the navigation. */
const below: NavItem[] = [
  { path: 'reports/critical', label: 'Critical results', icon: 'warning', isForWriters: true },
  { path: 'reports/unassessed', label: 'Not assessed', icon: 'warning', isForWriters: true },
  { path: 'developers/tokens', label: 'Tokens', icon: 'key', isForWriters: true },
  { path: 'developers/webhooks', label: 'Webhooks', icon: 'webhook' },
  { path: 'developers/requests', label: 'Requests', icon: 'list' },
  { path: 'developers/events', label: 'Events', icon: 'event' },
  { path: 'settings/consent', label: 'Consent', icon: 'shield', isForWriters: true },
  { path: 'settings/reminders', label: 'Reminders', icon: 'mail', isForWriters: true },
  { path: 'settings/on-call', label: 'On-call list', icon: 'warning', isForWriters: true },
  { path: 'settings/team', label: 'Team', icon: 'people', isForWriters: true },
  { path: 'settings/support', label: 'Support access', icon: 'shield', isForWriters: true },
  { path: 'settings/sso', label: 'Single sign-on', icon: 'key', isForWriters: true },
  { path: 'settings/audit', label: 'Audit', icon: 'book', isForWriters: true },
]

export const pagesBelow = (may: { write: boolean }): NavItem[] =>
  below.filter(({ isForWriters }) => may.write || !isForWriters)

/** What can be done from anywhere: by what this person may do, and where they are. */
export function usePaletteActions(): PaletteAction[] {
  const { memberships } = useSession()
  const { write } = usePermissions()
  const realm = useMaybeRealm()
  const path = useRealmPath()
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const go = (to: string) => () => void navigate({ to })
  const isDark = colorScheme === 'dark'
  const isCompact = readDensity() === 'compact'
  const of = (label: string, icon: IconName, run: () => void, isThere = true): PaletteAction[] =>
    isThere ? [{ label, icon, run }] : []
  const isSandbox = realm?.mode === 'sandbox'
  return [
    ...of('Order kits', 'order', go(path('orders', 'new')), realm && write),
    ...of('Order by CSV', 'list', go(path('bulk', 'new')), realm && write),
    ...of('Let time pass', 'sandbox', go(path('developers', 'sandbox')), isSandbox && write),
    ...(realm
      ? of(
          isSandbox ? 'Switch to live' : 'Switch to the sandbox',
          'sandbox',
          go(`/b/${realm.businessID}/${isSandbox ? 'live' : 'sandbox'}`),
        )
      : []),
    ...of('Go to the operator', 'building', go('/operator'), realm && memberships.some(isOperator)),
    ...of(isDark ? 'Use the light scheme' : 'Use the dark scheme', isDark ? 'sun' : 'moon', () =>
      setColorScheme(isDark ? 'light' : 'dark'),
    ),
    ...of(isCompact ? 'Give rows more space' : 'Bring rows closer together', 'list', () =>
      setDensity(isCompact ? 'comfortable' : 'compact'),
    ),
    ...of('Account and password', 'customer', go('/account')),
    ...of('Sign out', 'customer', () => void signOut()),
  ]
}
