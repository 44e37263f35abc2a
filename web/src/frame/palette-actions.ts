import { useMantineColorScheme } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { readDensity, setDensity } from '../app/density.ts'
import { usePermissions } from '../app/permissions.ts'
import { useMaybeRealm, useRealmPath } from '../app/realm.tsx'
import { isOperator, signOut, useSession } from '../app/session.tsx'
import type { IconName } from '../components/icon.tsx'
import { t } from '../language/t.ts'
import type { NavArea, NavItem } from './navigation.ts'

export interface PaletteAction {
  label: string
  icon: IconName
  run: () => void
}

type Page = NavItem & { icon: IconName }

/** Pages of a business that are below others, and so not in the navigation. */
const below: Page[] = [
  { path: 'reports/critical', label: t('Critical results'), icon: 'warning', isForWriters: true },
  { path: 'reports/unassessed', label: t('Not assessed'), icon: 'warning', isForWriters: true },
  { path: 'developers/tokens', label: t('Tokens'), icon: 'key', isForWriters: true },
  { path: 'developers/webhooks', label: t('Webhooks'), icon: 'webhook' },
  { path: 'developers/requests', label: t('Requests'), icon: 'list' },
  { path: 'developers/events', label: t('Events'), icon: 'event' },
  { path: 'settings/consent', label: t('Consent'), icon: 'shield', isForWriters: true },
  { path: 'settings/reminders', label: t('Reminders'), icon: 'mail', isForWriters: true },
  { path: 'settings/on-call', label: t('On-call list'), icon: 'warning', isForWriters: true },
  { path: 'settings/team', label: t('Team'), icon: 'people', isForWriters: true },
  { path: 'settings/support', label: t('Support access'), icon: 'shield', isForWriters: true },
  { path: 'settings/sso', label: t('Single sign-on'), icon: 'key', isForWriters: true },
  { path: 'settings/audit', label: t('Audit'), icon: 'book', isForWriters: true },
]

/** The pages of the navigation, each with the icon of its area. */
export const pagesOf = (areas: readonly NavArea[]): Page[] =>
  areas.flatMap(({ icon, items }) => items.map((item) => ({ ...item, icon })))

export const pagesBelow = (may: { write: boolean }): Page[] =>
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
    ...of(t('Order kits'), 'order', go(path('orders', 'new')), realm && write),
    ...of(t('Order by CSV'), 'list', go(path('bulk', 'new')), realm && write),
    ...of(t('Let time pass'), 'sandbox', go(path('developers', 'sandbox')), isSandbox && write),
    ...(realm
      ? of(
          isSandbox ? t('Switch to live') : t('Switch to the sandbox'),
          'sandbox',
          go(`/b/${realm.businessID}/${isSandbox ? 'live' : 'sandbox'}`),
        )
      : []),
    ...of(t('Go to the operator'), 'building', go('/operator'), realm && memberships.some(isOperator)),
    ...of(isDark ? t('Use the light scheme') : t('Use the dark scheme'), isDark ? 'sun' : 'moon', () =>
      setColorScheme(isDark ? 'light' : 'dark'),
    ),
    ...of(isCompact ? t('Give rows more space') : t('Bring rows closer together'), 'list', () =>
      setDensity(isCompact ? 'comfortable' : 'compact'),
    ),
    ...of(t('Account and password'), 'customer', go('/account')),
    ...of(t('Sign out'), 'customer', () => void signOut()),
  ]
}
