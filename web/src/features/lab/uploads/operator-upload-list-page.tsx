import type { Query } from '@kitlane/client'
import { useRead } from '../../../api/hooks.ts'
import { DataTable } from '../../../components/data-table.tsx'
import { useListState } from '../../../components/list-state.ts'
import { PageHeader } from '../../../components/page-header.tsx'
import { Pager } from '../../../components/pager.tsx'
import { RelativeDate } from '../../../components/relative-date.tsx'

export const whyReview = {
  scan: 'A scan: its text was recognised',
  image: 'A photo: its text was recognised',
  layout: 'An unknown layout',
  person: 'It may be about someone else',
  unmatched: 'Nothing could be matched',
} as const

export function UploadsPage() {
  const state = useListState<Query<'/operator/v1/uploads'>>()
  const uploads = useRead('/operator/v1/uploads', { params: { query: state.query } }, { keep: true })
  return (
    <>
      <PageHeader
        title="Uploads to review"
        sentence="Files whose values a person must confirm, one by one, before they become a report."
      />
      <DataTable
        label="Uploads to review"
        rows={uploads.data?.data}
        error={uploads.error}
        retry={() => void uploads.refetch()}
        rowKey={({ docID }) => docID}
        href={({ docID }) => `/operator/uploads/${docID}`}
        columns={[
          { header: 'File', cell: ({ fileName, docID }) => fileName ?? docID },
          {
            header: 'Business',
            cell: ({ business, mode }) => `${business.name}${mode === 'sandbox' ? ' (sandbox)' : ''}`,
          },
          {
            header: 'Why',
            cell: ({ needsReview, state }) => (state === 'reading' ? 'Being read' : whyReview[needsReview]),
            isMinor: true,
          },
          { header: 'Pages', align: 'right', cell: ({ pages }) => pages },
          { header: 'Values found', align: 'right', cell: ({ candidates }) => candidates },
          { header: 'Received', cell: ({ receivedDate }) => <RelativeDate value={receivedDate} /> },
        ]}
        empty={{
          title: 'Nothing to review',
          text: 'Scans and photos of reports appear here when a customer uploads them.',
        }}
      />
      <Pager state={state} pagination={uploads.data?.pagination} />
    </>
  )
}
