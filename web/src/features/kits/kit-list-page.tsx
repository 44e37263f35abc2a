import type { Query } from '@kitlane/client'
import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { Kit } from '../../api/shapes.ts'
import { useArrayList } from '../../api/use-array-list.ts'
import { usePermissions } from '../../app/permissions.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { useShownInCsv } from '../../components/columns.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { IdCell } from '../../components/id-text.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { SelectionBar, useSelection } from '../../components/selection.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { usePanels } from '../catalogue/use-panels.ts'
import { reportLabel } from '../reports/labels.ts'
import { standingOf } from './kit-standing.ts'
import { attentionOptions, kitStatusOptions, sampleLabel, sampleStatusOptions } from './labels.ts'

export function KitListPage() {
  const path = useRealmPath()
  const { write } = usePermissions()
  const { nameOf } = usePanels()
  const state = useListState<Query<'/api/v1/kits'>>([
    'q',
    'attention',
    'kitStatus',
    'sampleStatus',
    'createdDateStart',
    'createdDateEnd',
  ])
  const kits = useArrayList('/api/v1/kits', state, { includeNames: '1' })
  const selection = useSelection(state)
  const columns = columnsOf(nameOf)
  return (
    <>
      <PageHeader title={t('Kits')} />
      <ListToolbar
        state={state}
        search={t('Kit ID, e-mail or name')}
        filters={[
          { key: 'attention', label: t('Needs attention'), options: attentionOptions },
          { key: 'kitStatus', label: t('Kit'), options: kitStatusOptions },
          { key: 'sampleStatus', label: t('Sample'), options: sampleStatusOptions },
          { kind: 'dates', key: 'date', label: t('Ordered'), from: 'createdDateStart', to: 'createdDateEnd' },
        ]}
        csv="/api/v1/kits"
        shown={useShownInCsv(t('Kits'), columns)}
      />
      <SelectionBar selection={selection} csv="/api/v1/kits" by="kitID" />
      <DataTable
        label={t('Kits')}
        rows={kits.data?.rows}
        error={kits.error}
        retry={() => void kits.refetch()}
        columns={columns}
        state={state}
        selection={{ ...selection, nameOf: ({ kitID }) => kitID }}
        rowKey={({ kitID }) => kitID}
        href={({ kitID }) => path('kits', kitID)}
        empty={
          state.isFiltered
            ? { title: t('No matching kits'), text: t('Clear a filter, or search for something else.') }
            : {
                title: t('No kits yet'),
                text: t(
                  'A kit is one box with its own ID. An order creates it, and this page follows it from packing to the report.',
                ),
                action: write && (
                  <Button component={Link} to={path('orders', 'new')}>
                    {t('Order a kit')}
                  </Button>
                ),
              }
        }
      />
      <Pager state={state} pagination={kits.data?.pagination} />
    </>
  )
}

function columnsOf(nameOf: (kitType: string) => string): Column<Kit>[] {
  return [
    {
      header: t('Person'),
      csv: ['registeredToEmail', 'recipientEmail'],
      cell: ({ registeredName, recipientName, registeredToEmail, recipientEmail }) =>
        registeredName || recipientName || registeredToEmail || recipientEmail || t('Erased'),
    },
    { header: t('Panel'), csv: ['kitType'], cell: ({ kitType }) => nameOf(kitType), isMinor: true },
    {
      header: t('Where it is'),
      csv: ['kitStatus', 'exceptionReason'],
      cell: (kit) => <StatusDot tone={standingOf(kit).tone}>{standingOf(kit).label}</StatusDot>,
    },
    {
      header: t('Sample'),
      csv: ['sampleStatus'],
      cell: ({ sampleStatus }) => (
        <StatusDot tone={sampleLabel(sampleStatus).tone}>{sampleLabel(sampleStatus).label}</StatusDot>
      ),
      isMinor: true,
    },
    {
      header: t('Report'),
      csv: ['status'],
      cell: ({ status }) => <StatusDot tone={reportLabel(status).tone}>{reportLabel(status).label}</StatusDot>,
      isMinor: true,
    },
    {
      header: t('Ordered'),
      csv: ['createdDate'],
      sort: 'createdDate',
      cell: ({ createdDate }) => <RelativeDate value={createdDate} />,
      isMinor: true,
    },
    {
      header: t('Last change'),
      csv: ['lastUpdatedDate'],
      cell: ({ lastUpdatedDate }) => <RelativeDate value={lastUpdatedDate} />,
      isMinor: true,
    },
    { header: t('Kit'), csv: ['kitID'], cell: ({ kitID }) => <IdCell id={kitID} />, align: 'right', isMinor: true },
  ]
}
