import { useDebouncedValue } from '@mantine/hooks'
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useRead } from '../api/hooks.ts'
import { readsKits, usePermissions } from '../app/permissions.ts'
import { useMaybeRealm, useRealmPath } from '../app/realm.tsx'
import { isOperator, useSession } from '../app/session.tsx'
import { Icon, type IconName } from '../components/icon.tsx'
import { t } from '../language/t.ts'
import { businessAreas } from './navigation.ts'
import { operatorAreas } from './operator-navigation.ts'
import { pagesBelow, pagesOf, usePaletteActions } from './palette-actions.ts'

const WORDS = { order: t('Order'), kit: t('Kit'), customer: t('Customer'), report: t('Report') } as const
const FOLDERS = { order: 'orders', kit: 'kits', customer: 'customers', report: 'reports' } as const

/** Opens a page, order, kit, customer or report by ID, e-mail or name, and does what can be done from anywhere. Each increase of `asked` opens the palette. */
export function CommandPalette({ asked: opened }: { asked: number }) {
  const [query, setQuery] = useState('')
  const { memberships } = useSession()
  const realm = useMaybeRealm()
  const path = useRealmPath()
  const navigate = useNavigate()
  useEffect(() => {
    if (opened > 0) spotlight.open()
  }, [opened])
  const may = usePermissions()
  // Only people who may publish reports open one by its ID alone; others open it from its customer.
  const found = useFound(query).filter(({ kind }) => kind !== 'report' || may.write)
  const foundOfAll = useFoundOfAll(query)
  const words = query.trim().toLowerCase()
  const pages = realm ? [...pagesOf(businessAreas(may)), ...pagesBelow(may)] : pagesOf(operatorAreas(memberships))
  const doable = usePaletteActions()
  const go = (to: string) => () => void navigate({ to })
  const groups: SpotlightActionGroupData[] = [
    {
      group: t('Found'),
      actions: found.map(({ kind, id, title, subtitle }) => ({
        id: `${kind} ${id}`,
        label: title,
        description: [WORDS[kind], subtitle].filter(Boolean).join(' · '),
        leftSection: <Icon name={kind satisfies IconName} size={18} />,
        onClick: go(path(FOLDERS[kind], id)),
      })),
    },
    {
      group: t('Found at the businesses'),
      actions: foundOfAll.map(({ kind, id, title, subtitle, business }) => ({
        id: `${business.id} ${kind} ${id}`,
        label: title,
        description: [WORDS[kind], subtitle, business.name].filter(Boolean).join(' · '),
        leftSection: <Icon name={kind satisfies IconName} size={18} />,
        onClick: go(
          kind === 'customer'
            ? `/operator/businesses/${business.id}/customers/${id}`
            : `/operator/${FOLDERS[kind]}/${id}`,
        ),
      })),
    },
    {
      group: t('Pages'),
      actions: pages
        .filter(({ label }) => label.toLowerCase().includes(words))
        .map(({ path: part, label, icon }) => ({
          id: `page:${part}`,
          label,
          leftSection: <Icon name={icon} size={18} />,
          onClick: go(part ? path(...part.split('/')) : path()),
        })),
    },
    {
      group: t('Actions'),
      actions: doable
        .filter(({ label }) => label.toLowerCase().includes(words))
        .map(({ label, icon, run }) => ({
          id: `action:${label}`,
          label,
          leftSection: <Icon name={icon} size={18} />,
          onClick: run,
        })),
    },
  ]
  return (
    <Spotlight
      actions={groups.filter(({ actions }) => actions.length > 0)}
      filter={(_query, actions) => actions}
      query={query}
      onQueryChange={setQuery}
      shortcut={null}
      attributes={{ content: { 'aria-label': t('Go to') } }}
      scrollable
      nothingFound={t('No page, action or record has this ID, e-mail or name. Three letters of a name are needed.')}
      searchProps={{
        placeholder: t('A page or action, or an ID, e-mail or name'),
        'aria-label': t('Go to'),
        leftSection: <Icon name="search" size={18} />,
      }}
    />
  )
}

function useFound(query: string) {
  const realm = useMaybeRealm()
  const [q] = useDebouncedValue(query.trim(), 150)
  const search = useRead(
    '/api/v1/search',
    { params: { query: { q } } },
    { enabled: realm !== undefined && q.length > 1 },
  )
  return q.length > 1 ? (search.data ?? []) : []
}

/** The operator's staff search the live data of all businesses, on every page. */
function useFoundOfAll(query: string) {
  const { memberships } = useSession()
  const realm = useMaybeRealm()
  const [q] = useDebouncedValue(query.trim(), 150)
  const roles = memberships.filter(isOperator).map(({ role }) => role)
  const maySearch = roles.some(readsKits)
  const search = useRead('/operator/v1/search', { params: { query: { q } } }, { enabled: maySearch && q.length > 1 })
  const ofOthers = search.data?.filter(({ business }) => business.id !== realm?.businessID)
  return q.length > 1 ? (ofOthers ?? []) : []
}
