import type { Query } from '@kitlane/client'
import { Stack, Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import type { Kit } from '../../api/shapes.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Pager } from '../../components/pager.tsx'
import { t } from '../../language/t.ts'
import { Required } from './business-hold.tsx'
import { type Hold, HoldState, stateOptions } from './hold-state.tsx'

/** Samples of a business that wait for something, those that are kept least long first. */
export function BusinessHoldsPage() {
  const path = useRealmPath()
  const state = useListState<Query<'/api/v1/held-samples'>>(['state'])
  // The route lists those that go on, too, until the laboratory has seen them: nobody here has to do anything for these.
  const query: Query<'/api/v1/held-samples'> = { state: 'open', ...state.query }
  const holds = useRead('/api/v1/held-samples', { params: { query } }, { keep: true })
  const kits = useKitsOf(holds.data?.data ?? [])
  const columns: Column<Hold>[] = [
    {
      header: t('Kit'),
      cell: (hold) => (
        <>
          <PageLink to={path('kits', hold.kitID)}>{hold.kitID}</PageLink>
          <Text>{whoHas(kits.get(hold.kitID))}</Text>
          <HoldState hold={hold} isBrief={hold.state === 'open'} />
        </>
      ),
    },
    {
      header: t('What to do'),
      hasButtons: true,
      cell: (hold) => (
        <Stack gap="xs" align="flex-start">
          <Required hold={hold} isWaitedFor />
        </Stack>
      ),
      isFixed: true,
    },
  ]
  return (
    <>
      <PageHeader
        title={t('Samples on hold')}
        sentence={t(
          'The laboratory has these samples and cannot go on, because something is missing that somebody can still give. It keeps each until the day that is shown.',
        )}
      />
      <ListToolbar state={state} filters={[{ key: 'state', label: t('Now'), options: stateOptions }]} />
      <DataTable
        label={t('Samples on hold')}
        rows={holds.data?.data}
        error={holds.error}
        retry={() => void holds.refetch()}
        columns={columns}
        rowKey={({ kitID }) => kitID}
        empty={
          state.isFiltered
            ? { title: t('No such samples'), text: t('Clear the filter to see those that wait now.') }
            : {
                title: t('No sample is on hold'),
                text: t(
                  'Nothing is missing of any sample. One is listed here if it reaches the laboratory without a registration, a consent, its day of collection, the right name or a label that can be read.',
                ),
              }
        }
      />
      <Pager state={state} pagination={holds.data?.pagination} />
    </>
  )
}

/** The kits of these holds, by ID, with whose they are. */
function useKitsOf(holds: readonly Hold[]): ReadonlyMap<string, Kit> {
  const query = { kitID: holds.map(({ kitID }) => kitID).join(','), includeNames: '1' as const, size: 250 }
  const kits = useRead('/api/v1/kits', { params: { query } }, { enabled: holds.length > 0, keep: true })
  return new Map(kits.data?.map((kit) => [kit.kitID, kit]))
}

const whoHas = (kit: Kit | undefined) =>
  kit && (kit.registeredName || kit.recipientName || kit.registeredToEmail || kit.recipientEmail || t('Erased'))
