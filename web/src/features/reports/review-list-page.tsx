import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { IdCell } from '../../components/id-text.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { PublishNormal } from './publish-normal.tsx'
import { nameOfBusiness, REVIEWS, type Review } from './review-list.ts'

export function ReviewListPage() {
  const reviews = useRead('/operator/v1/reports', REVIEWS)
  const [first] = reviews.data ?? []
  return (
    <>
      <PageHeader
        title="Review"
        sentence="Live reports to review and publish: those with critical results first, then the oldest."
        actions={
          first && (
            <>
              <PublishNormal reviews={reviews.data ?? []} />
              <Button component={Link} to={`/operator/review/${first.reportID}`}>
                Start with the first
              </Button>
            </>
          )
        }
      />
      <DataTable
        label="Reports in review"
        rows={reviews.data}
        error={reviews.error}
        retry={() => void reviews.refetch()}
        rowKey={({ reportID }) => reportID}
        href={({ reportID }) => `/operator/review/${reportID}`}
        columns={[
          { header: 'Business', cell: nameOfBusiness },
          { header: 'Critical', cell: critical, isFixed: true },
          { header: 'Out of range', align: 'right', cell: ({ outOfRange }) => outOfRange },
          { header: 'Not assessed', align: 'right', cell: ({ unusable, unassessed }) => unusable + unassessed },
          { header: 'From the laboratory', cell: (review) => <Vendor review={review} />, isMinor: true },
          { header: 'Received', cell: ({ receivedDate }) => <RelativeDate value={receivedDate} /> },
          { header: 'Kit', cell: ({ kitID }) => (kitID ? <IdCell id={kitID} /> : '–'), isMinor: true },
          { header: 'Report', cell: ({ reportID }) => <IdCell id={reportID} />, align: 'right', isMinor: true },
        ]}
        empty={{ title: 'Nothing to review', text: 'Reports appear here when the laboratory has sent results.' }}
      />
    </>
  )
}

const critical = (review: Review) =>
  review.critical === 0 ? '–' : <StatusDot tone="bad">{`${review.critical} critical`}</StatusDot>

const vendor = {
  final: ['good', 'Final'],
  partial: ['fair', 'Partial'],
  corrected: ['info', 'Corrected'],
} as const

function Vendor({ review }: { review: Review }) {
  const [tone, word] = vendor[review.vendorStatus]
  return <StatusDot tone={tone}>{word}</StatusDot>
}
