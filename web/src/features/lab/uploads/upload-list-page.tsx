import type { Query } from '@kitlane/client'
import { useRead } from '../../../api/hooks.ts'
import type { Upload } from '../../../api/shapes.ts'
import { useApi, useRealmPath } from '../../../app/realm.tsx'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { useListState } from '../../../components/list-state.ts'
import { ListToolbar } from '../../../components/list-toolbar.tsx'
import { PageHeader } from '../../../components/page-header.tsx'
import { Pager } from '../../../components/pager.tsx'
import { RelativeDate } from '../../../components/relative-date.tsx'
import { StatusDot } from '../../../components/status-dot.tsx'
import { t } from '../../../language/t.ts'
import { needText, uploadLabel } from './labels.ts'

/** Files that a person has to read, of a business or of all. */
export function UploadListPage() {
  const api = useApi()
  const path = useRealmPath()
  const state = useListState<Query<'/api/v1/uploads'>>(['state', 'needsReview'])
  const uploads = useRead(`${api}/uploads`, { params: { query: state.query } }, { keep: true })
  return (
    <>
      <PageHeader
        title={t('Uploads')}
        sentence={t('Laboratory files that a person must review before their values count.')}
      />
      <ListToolbar
        state={state}
        filters={[
          {
            key: 'state',
            label: t('Status'),
            options: [
              { value: 'open', label: t('Open') },
              { value: 'confirmed', label: t('Confirmed') },
              { value: 'dismissed', label: t('Dismissed') },
            ],
          },
          {
            key: 'needsReview',
            label: t('Reason'),
            options: (['scan', 'image', 'layout', 'person', 'date'] as const).map((value) => ({
              value,
              label: needText(value),
            })),
          },
        ]}
      />
      <DataTable
        label={t('Uploads')}
        rows={uploads.data?.data}
        error={uploads.error}
        retry={() => void uploads.refetch()}
        columns={[api === '/api/v1' ? ofPerson : ofBusiness, ...columns]}
        rowKey={({ docID }) => docID}
        href={({ docID }) => path('uploads', docID)}
        empty={
          state.isFiltered
            ? { title: t('No matching uploads'), text: t('Clear the filter to see all uploads.') }
            : {
                title: t('Nothing to review'),
                text: t(
                  'Files are uploaded on the page of a customer, under Add data. Scans and unusual layouts wait here.',
                ),
              }
        }
      />
      <Pager state={state} pagination={uploads.data?.pagination} />
    </>
  )
}

const ofPerson: Column<Upload> = {
  header: t('Person'),
  cell: ({ customerName, customerID }) => customerName ?? t('Customer {customerID}', { customerID }),
}
const ofBusiness: Column<Upload> = {
  header: t('Business'),
  cell: ({ business, mode }) =>
    mode === 'sandbox' ? t('{name} (sandbox)', { name: business?.name ?? '' }) : business?.name,
}
const columns: Column<Upload>[] = [
  { header: t('File'), cell: ({ fileName }) => fileName ?? t('Laboratory file') },
  {
    header: t('Status'),
    cell: ({ state }) => <StatusDot tone={uploadLabel(state).tone}>{uploadLabel(state).label}</StatusDot>,
  },
  { header: t('Why'), cell: ({ needsReview }) => needText(needsReview) },
  { header: t('Values found'), cell: ({ candidates }) => candidates, align: 'right' },
  { header: t('Received'), cell: ({ receivedDate }) => <RelativeDate value={receivedDate} />, isMinor: true },
]
