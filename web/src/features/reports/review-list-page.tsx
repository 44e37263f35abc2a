import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useRead } from '../../api/hooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import { IdCell } from '../../components/id-text.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { RelativeDate } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { PublishNormal } from './publish-normal.tsx'
import { nameOfBusiness, REVIEWS, type Review } from './review-list.ts'

export function ReviewListPage() {
  const reviews = useRead('/operator/v1/reports', REVIEWS)
  const [first] = reviews.data ?? []
  return (
    <>
      <PageHeader
        title={t('Review')}
        sentence={t('Live reports to review and publish: those with critical results first, then the oldest.')}
        actions={
          first && (
            <>
              <PublishNormal reviews={reviews.data ?? []} />
              <Button component={Link} to={`/operator/review/${first.reportID}`}>
                {t('Start with the first')}
              </Button>
            </>
          )
        }
      />
      <DataTable
        label={t('Reports in review')}
        rows={reviews.data}
        error={reviews.error}
        retry={() => void reviews.refetch()}
        rowKey={({ reportID }) => reportID}
        href={({ reportID }) => `/operator/review/${reportID}`}
        columns={[
          { header: t('Business'), cell: nameOfBusiness },
          { header: t('Critical'), cell: critical, isFixed: true },
          { header: t('Out of range'), align: 'right', cell: ({ outOfRange }) => outOfRange },
          { header: t('Not assessed'), align: 'right', cell: ({ unusable, unassessed }) => unusable + unassessed },
          { header: t('From the laboratory'), cell: (review) => <Vendor review={review} />, isMinor: true },
          { header: t('Received'), cell: ({ receivedDate }) => <RelativeDate value={receivedDate} /> },
          { header: t('Kit'), cell: ({ kitID }) => (kitID ? <IdCell id={kitID} /> : '–'), isMinor: true },
          { header: t('Report'), cell: ({ reportID }) => <IdCell id={reportID} />, align: 'right', isMinor: true },
        ]}
        empty={{ title: t('Nothing to review'), text: t('Reports appear here when the laboratory has sent results.') }}
      />
    </>
  )
}

const critical = (review: Review) =>
  review.critical === 0 ? (
    '–'
  ) : (
    <StatusDot tone="bad">{t('{critical} critical', { critical: review.critical })}</StatusDot>
  )

const vendor = {
  final: ['good', t('Final')],
  partial: ['fair', t('Partial')],
  corrected: ['info', t('Corrected')],
} as const

function Vendor({ review }: { review: Review }) {
  const [tone, word] = vendor[review.vendorStatus]
  return <StatusDot tone={tone}>{word}</StatusDot>
}
