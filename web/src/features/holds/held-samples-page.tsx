import type { Query } from '@kitlane/client'
import { Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Pager } from '../../components/pager.tsx'
import { t } from '../../language/t.ts'
import { type Hold, HoldState, stateOptions } from './hold-state.tsx'
import { HoldActions } from './operator-hold.tsx'

/** Samples on hold of all businesses, for the laboratory. */
export function HeldSamplesPage() {
  const state = useListState<Query<'/operator/v1/held-samples'>>(['state', 'businessID'])
  const holds = useRead('/operator/v1/held-samples', { params: { query: state.query } }, { keep: true })
  return (
    <>
      <PageHeader
        title={t('Samples on hold')}
        sentence={t(
          'Samples that lack what somebody can still give. Those that can go on come first; then those that must be discarded soonest.',
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
        empty={{ title: t('No sample waits'), text: t('Samples that lack something are listed here.') }}
      />
      <Pager state={state} pagination={holds.data?.pagination} />
    </>
  )
}

const columns: Column<Hold>[] = [
  {
    header: t('Kit'),
    cell: ({ kitID, business, panelName }) => (
      <>
        <PageLink to={`/operator/kits/${kitID}`}>{kitID}</PageLink>
        <Text size="xs" c="dimmed">
          {[business?.name, panelName].filter(Boolean).join(' · ')}
        </Text>
      </>
    ),
  },
  { header: t('What is missing'), cell: (hold) => <HoldState hold={hold} /> },
  { header: t('What to do'), cell: (hold) => <HoldActions hold={hold} />, hasButtons: true },
]
