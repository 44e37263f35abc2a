import type { Query } from '@kitlane/client'
import { Text } from '@mantine/core'
import { useRead } from '../../api/hooks.ts'
import { useRealmPath } from '../../app/realm.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { Pager } from '../../components/pager.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'
import { Done, type RecalledKit, stageWords } from './labels.tsx'

/** Kits of a business that the operator has recalled. */
export function BusinessRecallsPage() {
  const path = useRealmPath()
  const state = useListState<Query<'/api/v1/recalled-kits'>>(['isTold'])
  const kits = useRead('/api/v1/recalled-kits', { params: { query: state.query } }, { keep: true })
  const columns: Column<RecalledKit>[] = [
    {
      header: t('Kit'),
      cell: ({ kitID, stage }) => (
        <>
          <PageLink to={path('kits', kitID)}>{kitID}</PageLink>
          <Text size="xs" c="dimmed">
            {stage && stageWords[stage]}
          </Text>
        </>
      ),
    },
    { header: t('Reason'), cell: ({ reason }) => reason, isMinor: true },
    { header: t('What was done'), cell: (kit) => <Done kit={kit} /> },
    {
      header: t('Replacement'),
      cell: ({ replacedBy }) => replacedBy && <PageLink to={path('kits', replacedBy)}>{replacedBy}</PageLink>,
      isMinor: true,
    },
    { header: t('Since'), cell: ({ recalledDate }) => <RelativeDate value={recalledDate} />, isMinor: true },
  ]
  return (
    <>
      <PageHeader
        title={t('Recalled kits')}
        sentence={t(
          'Something in these kits, or with which their samples were tested, was recalled. Tell each person to whom nobody wrote.',
        )}
      />
      <ListToolbar
        state={state}
        filters={[
          { key: 'isTold', label: t('E-mail to the person'), options: [{ value: 'false', label: t('Nobody wrote') }] },
        ]}
      />
      <DataTable
        label={t('Recalled kits')}
        rows={kits.data?.data}
        error={kits.error}
        retry={() => void kits.refetch()}
        columns={columns}
        rowKey={({ kitID, recallID }) => `${kitID} ${recallID}`}
        empty={{ title: t('No kit was recalled'), text: t('If one is, it is listed here at once.') }}
      />
      <Pager state={state} pagination={kits.data?.pagination} />
    </>
  )
}
