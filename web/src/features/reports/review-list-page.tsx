import { Alert, Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useRead } from '../../api/hooks.ts'
import { DataTable } from '../../components/data-table.tsx'
import type { Filter } from '../../components/filter-chip.tsx'
import { IdCell } from '../../components/id-text.tsx'
import { useListState } from '../../components/list-state.ts'
import { ListToolbar } from '../../components/list-toolbar.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { PageLink } from '../../components/page-link.tsx'
import { exactOf, RelativeDate } from '../../components/relative-date.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'
import { PublishNormal } from './publish-normal.tsx'
import { forgetLeftBehind, leftBehind } from './review/pending-publish.ts'
import { usePublishOutcome } from './review/use-publish.ts'
import { isFree, matches, nameOfBusiness, panelOf, REVIEWS, type Review, type ReviewFilter } from './review-list.ts'

export function ReviewListPage() {
  usePublishOutcome()
  const state = useListState<ReviewFilter>(['held', 'business', 'panel'])
  const reviews = useRead('/operator/v1/reports', REVIEWS)
  const all = reviews.data
  const shown = all?.filter(matches(state.filters))
  const first = shown?.find(isFree)
  return (
    <>
      <PageHeader
        title={t('Review')}
        sentence={t('Live reports to review and publish: those with critical results first, then the oldest.')}
        actions={
          <>
            <PublishNormal reviews={shown ?? []} />
            {first && (
              <Button component={Link} to={`/operator/review/${first.reportID}`}>
                {t('Start with the first')}
              </Button>
            )}
          </>
        }
      />
      <LeftBehind reviews={all} />
      <ListToolbar state={state} filters={filtersOf(all ?? [])} />
      <DataTable
        label={t('Reports in review')}
        rows={shown}
        error={reviews.error}
        retry={() => void reviews.refetch()}
        rowKey={({ reportID }) => reportID}
        href={({ reportID }) => `/operator/review/${reportID}`}
        columns={[
          { header: t('Panel'), cell: (review) => panelOf(review) ?? '–' },
          { header: t('Critical'), cell: critical, isFixed: true },
          { header: t('Held'), cell: held },
          { header: t('Out of range'), align: 'right', cell: ({ outOfRange }) => outOfRange },
          { header: t('Not assessed'), align: 'right', cell: ({ unusable, unassessed }) => unusable + unassessed },
          { header: t('From the laboratory'), cell: (review) => <Vendor review={review} />, isMinor: true },
          { header: t('Received'), cell: ({ receivedDate }) => <RelativeDate value={receivedDate} /> },
          { header: t('Business'), cell: nameOfBusiness },
          {
            header: t('Person'),
            cell: ({ business, customerID }) => (
              <PageLink to={`/operator/businesses/${business.id}/customers/${customerID}`} size="xs">
                {customerID}
              </PageLink>
            ),
            isMinor: true,
          },
          { header: t('Kit'), cell: ({ kitID }) => (kitID ? <IdCell id={kitID} /> : '–'), isMinor: true },
          { header: t('Report'), cell: ({ reportID }) => <IdCell id={reportID} />, align: 'right', isMinor: true },
        ]}
        empty={
          state.isFiltered
            ? { title: t('No matching reports'), text: t('Clear the filter to see all reports.') }
            : { title: t('Nothing to review'), text: t('Reports appear here when the laboratory has sent results.') }
        }
      />
    </>
  )
}

/** A page was closed within the time to undo, and its report is still here. */
function LeftBehind({ reviews }: { reviews: readonly Review[] | undefined }) {
  const [reportID, setReportID] = useState(leftBehind)
  const isThere = reviews?.some((one) => one.reportID === reportID)
  useEffect(() => {
    // It arrived: no notice is needed, even if the report returns.
    if (isThere === false) forgetLeftBehind()
  }, [isThere])
  if (!reportID || !isThere) return null
  const forget = () => {
    forgetLeftBehind()
    setReportID(undefined)
  }
  return (
    <Alert color="orange" mb="md" withCloseButton onClose={forget} closeButtonLabel={t('Close')}>
      {t('Report {reportID} was not published: its page was closed before.', { reportID })}{' '}
      <PageLink to={`/operator/review/${reportID}`}>{t('Read it')}</PageLink>
    </Alert>
  )
}

function filtersOf(reviews: readonly Review[]): Filter[] {
  const distinct = (values: readonly string[]) => [...new Set(values)].sort().map((value) => ({ value, label: value }))
  return [
    {
      key: 'held',
      label: t('Held'),
      options: [
        { value: 'mine', label: t('By me') },
        { value: 'yes', label: t('Held') },
        { value: 'no', label: t('Not held') },
      ],
    },
    { key: 'business', label: t('Business'), options: distinct(reviews.map(nameOfBusiness)) },
    { key: 'panel', label: t('Panel'), options: distinct(reviews.flatMap((review) => panelOf(review) ?? [])) },
  ]
}

const critical = (review: Review) =>
  review.critical === 0 ? (
    '–'
  ) : (
    <StatusDot tone="bad">
      {t('{count, plural, one {# critical} other {# critical}}', { count: review.critical })}
    </StatusDot>
  )

const held = ({ hold, isRecalled }: Review) =>
  isRecalled ? (
    <StatusDot tone="bad">{t('Recalled')}</StatusDot>
  ) : hold ? (
    <StatusDot tone="info">
      {hold.isMine
        ? t('By me, until {until}', { until: exactOf(hold.untilDate) })
        : t('By {by}, until {until}', { by: hold.by, until: exactOf(hold.untilDate) })}
    </StatusDot>
  ) : (
    '–'
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
