import type { Query } from '@kitlane/client'
import { useRead } from '../../../api/hooks.ts'
import { DataTable } from '../../../components/data-table.tsx'
import { useListState } from '../../../components/list-state.ts'
import { PageHeader } from '../../../components/page-header.tsx'
import { Pager } from '../../../components/pager.tsx'
import { RelativeDate } from '../../../components/relative-date.tsx'
import { t } from '../../../language/t.ts'

export const whyReview = {
  scan: t('A scan: its text was recognised'),
  image: t('A photo: its text was recognised'),
  layout: t('An unknown layout'),
  person: t('It may be about someone else'),
  date: t('The day of collection is not certain'),
  unmatched: t('Nothing could be matched'),
} as const

export function UploadsPage() {
  const state = useListState<Query<'/operator/v1/uploads'>>()
  const uploads = useRead('/operator/v1/uploads', { params: { query: state.query } }, { keep: true })
  return (
    <>
      <PageHeader
        title={t('Uploads to review')}
        sentence={t('Files whose values a person must confirm, one by one, before they become a report.')}
      />
      <DataTable
        label={t('Uploads to review')}
        rows={uploads.data?.data}
        error={uploads.error}
        retry={() => void uploads.refetch()}
        rowKey={({ docID }) => docID}
        href={({ docID }) => `/operator/uploads/${docID}`}
        columns={[
          { header: t('File'), cell: ({ fileName, docID }) => fileName ?? docID },
          {
            header: t('Business'),
            cell: ({ business, mode }) => `${business.name}${mode === 'sandbox' ? ' (sandbox)' : ''}`,
          },
          {
            header: t('Why'),
            cell: ({ needsReview, state }) => (state === 'reading' ? t('Being read') : whyReview[needsReview]),
            isMinor: true,
          },
          { header: t('Pages'), align: 'right', cell: ({ pages }) => pages },
          { header: t('Values found'), align: 'right', cell: ({ candidates }) => candidates },
          { header: t('Received'), cell: ({ receivedDate }) => <RelativeDate value={receivedDate} /> },
        ]}
        empty={{
          title: t('Nothing to review'),
          text: t('Scans and photos of reports appear here when a customer uploads them.'),
        }}
      />
      <Pager state={state} pagination={uploads.data?.pagination} />
    </>
  )
}
