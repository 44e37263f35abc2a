import { Alert, Button, Group, Kbd } from '@mantine/core'
import { useHotkeys } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRead, useWrite } from '../../api/hooks.ts'
import { Failure } from '../../components/failure.tsx'
import { NotAssessed } from '../../components/not-assessed.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Entries } from './entries.tsx'
import { urgencyOf } from './order.ts'
import { nameOfBusiness, REVIEWS } from './review-list-page.tsx'

export function ReviewPage() {
  const { reportID = '' } = useParams({ strict: false })
  const navigate = useNavigate()
  const params = { path: { reportID } }
  const report = useRead('/operator/v1/reports/{reportID}', { params })
  const reviews = useRead('/operator/v1/reports', REVIEWS)
  const publish = useWrite('post', '/operator/v1/reports/{reportID}/publish')

  const waiting = reviews.data ?? []
  const here = waiting.findIndex((review) => review.reportID === reportID)
  const review = waiting[here]
  const go = (to: string | undefined) => void navigate({ to: to ? `/operator/review/${to}` : '/operator/review' })
  const next = waiting[here + 1]?.reportID
  const release = async () => {
    if (report.data?.status !== 'inReview' || publish.isPending) return
    await publish.mutateAsync({ params })
    notifications.show({ message: `Report ${reportID} is published` })
    go(next)
  }
  // A refusal is shown by the page.
  const press = () => void release().catch(() => undefined)
  useHotkeys([
    ['mod+Enter', press],
    ['j', () => next && go(next)],
    ['k', () => here > 0 && go(waiting[here - 1]?.reportID)],
  ])
  const entries = report.data?.biomarker ?? []
  const critical = entries.filter((entry) => urgencyOf(entry) === 'critical')

  return (
    <>
      <PageHeader
        title={`Report ${reportID}`}
        crumbs={[['review', 'Review']]}
        sentence={
          review && `${nameOfBusiness(review)} · ${here + 1} of ${waiting.length} · kit ${review.kitID ?? 'none'}`
        }
        actions={
          <>
            <Button variant="default" disabled={!next} onClick={() => go(next)} rightSection={<Kbd size="xs">J</Kbd>}>
              Next
            </Button>
            {report.data?.status === 'inReview' && (
              <Button onClick={press} loading={publish.isPending} rightSection={<Kbd size="xs">Ctrl ⏎</Kbd>}>
                Publish
              </Button>
            )}
          </>
        }
      />
      {publish.error && <Failure error={publish.error} />}
      {report.error && <Failure error={report.error} retry={() => void report.refetch()} />}
      {critical.length > 0 && (
        <Alert color="red" mb="md" title="Critical results">
          {critical.map(({ label }) => label).join(', ')}. Make sure that the person was told before you publish.
        </Alert>
      )}
      {report.data && report.data.status !== 'inReview' && (
        <Group mb="md">
          This report is {report.data.status === 'published' ? 'published' : report.data.status} already.
        </Group>
      )}
      {report.data && <NotAssessed results={report.data.unassessed} />}
      {report.data && <Entries entries={entries} />}
    </>
  )
}
