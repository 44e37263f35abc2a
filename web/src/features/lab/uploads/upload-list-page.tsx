import type { Query } from '@kitlane/client'
import { useRead } from '../../../api/hooks.ts'
import type { Upload } from '../../../api/shapes.ts'
import { useRealmPath } from '../../../app/realm.tsx'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { useListState } from '../../../components/list-state.ts'
import { ListToolbar } from '../../../components/list-toolbar.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { Pager } from '../../../components/pager.tsx'
import { RelativeDate } from '../../../components/relative-date.tsx'
import { StatusDot } from '../../../components/status-dot.tsx'
import { needText, uploadLabel } from './labels.ts'

export function UploadListPage() {
  const path = useRealmPath()
  const state = useListState<Query<'/api/v1/uploads'>>(['state', 'needsReview'])
  const uploads = useRead('/api/v1/uploads', { params: { query: state.query } }, { keep: true })
  return (
    <>
      <PageHeader title="Uploads" sentence="Laboratory files that a person must review before their values count." />
      <ListToolbar
        state={state}
        filters={[
          {
            key: 'state',
            label: 'Status',
            options: [
              { value: 'open', label: 'Open' },
              { value: 'confirmed', label: 'Confirmed' },
              { value: 'dismissed', label: 'Dismissed' },
            ],
          },
          {
            key: 'needsReview',
            label: 'Reason',
            options: (['scan', 'image', 'layout', 'person'] as const).map((value) => ({
              value,
              label: needText(value),
            })),
          },
        ]}
      />
      <DataTable
        label="Uploads"
        rows={uploads.data?.data}
        error={uploads.error}
        retry={() => void uploads.refetch()}
        columns={columns}
        rowKey={({ docID }) => docID}
        href={({ docID }) => path('uploads', docID)}
        empty={
          state.isFiltered
            ? { title: 'No matching uploads', text: 'Clear the filter to see all uploads.' }
            : {
                title: 'Nothing to review',
                text: 'Files are uploaded on the page of a customer, under Add data. Scans and unusual layouts wait here.',
              }
        }
      />
      <Pager state={state} pagination={uploads.data?.pagination} />
    </>
  )
}

const columns: Column<Upload>[] = [
  { header: 'Person', cell: ({ customerName, customerID }) => customerName ?? `Customer ${customerID}` },
  { header: 'File', cell: ({ fileName }) => fileName ?? 'Laboratory file' },
  {
    header: 'Status',
    cell: ({ state }) => <StatusDot tone={uploadLabel(state).tone}>{uploadLabel(state).label}</StatusDot>,
  },
  { header: 'Why', cell: ({ needsReview }) => needText(needsReview) },
  { header: 'Values found', cell: ({ candidates }) => candidates, align: 'right' },
  { header: 'Received', cell: ({ receivedDate }) => <RelativeDate value={receivedDate} />, isMinor: true },
]
