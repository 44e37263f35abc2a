import { Alert, Button, Group, Kbd, Stack, Text, Title } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useRead, useWrite } from '../../api/hooks.ts'
import { ErrorAlert } from '../../components/error-alert.tsx'
import { PageHeader } from '../../components/page-header.tsx'
import { Section } from '../../components/section.tsx'
import { t } from '../../language/t.ts'
import { CriticalResultsDialog, type Told } from './critical-results-dialog.tsx'
import { urgencyOf } from './result-order.ts'
import { ResultTable } from './result-table.tsx'
import { nameOfBusiness, REVIEWS } from './review-list.ts'
import { idsOf, UnassessedSection } from './unassessed-section.tsx'
import { useNote } from './use-note.tsx'

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
  const entries = report.data?.biomarker ?? []
  const unassessed = report.data?.unassessed ?? []
  const critical = [
    ...entries.filter((entry) => urgencyOf(entry) === 'critical').map(({ label }) => label),
    ...unassessed
      .filter((result) => result.critical)
      .map(({ name, value }) => t('{name} {value}, not assessed', { name, value })),
  ]
  const calculated = entries.filter(({ type }) => type === 'calculated')
  const [isAsked, { open: ask, close }] = useDisclosure()
  const { note, isIncomplete, fields } = useNote(reportID)
  const release = (told?: Told) =>
    publish.mutate(
      { params, body: { version: report.data?.version, seen: idsOf(unassessed), told, note } },
      {
        onSuccess: () => {
          close()
          notifications.show({ message: t('Report {reportID} is published', { reportID }) })
          go(next)
        },
        onError: ({ code }) => {
          // A correction may have arrived while the page was open.
          if (code === 'REPORT_CHANGED') {
            close()
            void report.refetch()
          }
          if (code === 'CRITICAL_NOT_TOLD') ask()
        },
      },
    )
  const decide = () => {
    if (report.data?.status !== 'inReview' || publish.isPending || isIncomplete) return
    if (critical.length > 0) ask()
    else release()
  }
  useHotkeys([
    // A held key repeats, but the person decided about one report only.
    ['mod+Enter', ({ repeat }) => !repeat && !isAsked && decide()],
    ['j', () => next && go(next)],
    ['k', () => here > 0 && go(waiting[here - 1]?.reportID)],
  ])

  return (
    <>
      <PageHeader
        title={
          review
            ? t('Results for {nameOfBusiness}', { nameOfBusiness: nameOfBusiness(review) })
            : t('Results to review')
        }
        id={reportID}
        crumbs={[['review', t('Review')]]}
        sentence={
          review &&
          `${here + 1} of ${waiting.length}${review.kitID ? t(' · kit {kitID}', { kitID: review.kitID }) : ''}`
        }
        actions={
          <>
            <Button variant="default" disabled={!next} onClick={() => go(next)} rightSection={<Kbd size="xs">J</Kbd>}>
              {t('Next')}
            </Button>
            {report.data?.status === 'inReview' && (
              <Button
                onClick={decide}
                loading={publish.isPending}
                disabled={isIncomplete}
                rightSection={<Kbd size="xs">Ctrl ⏎</Kbd>}
              >
                {t('Publish')}
              </Button>
            )}
          </>
        }
      />
      {publish.error && !isAsked && <ErrorAlert error={publish.error} />}
      {report.error && <ErrorAlert error={report.error} retry={() => void report.refetch()} />}
      {critical.length > 0 && (
        <Alert color="red" mb="md" title={t('Critical results')}>
          {t('{value}. Before you can publish, you are asked who was told, and when.', { value: critical.join(', ') })}
        </Alert>
      )}
      {report.data && report.data.status !== 'inReview' && (
        <Group mb="md">
          This report is already {report.data.status === 'published' ? 'published' : report.data.status}.
        </Group>
      )}
      {report.data && (
        <Stack gap="lg">
          <UnassessedSection results={unassessed} />
          <section>
            <Title order={2} mb="xs">
              {t('Measured')}
            </Title>
            <ResultTable isMeasured label={t('Results')} entries={entries.filter(({ type }) => type === 'measured')} />
          </section>
          {calculated.length > 0 && (
            <section>
              <Title order={2}>{t('Calculated')}</Title>
              <Text c="dimmed" mb="xs">
                {t('Calculated here from the measured results. The laboratory did not report them.')}
              </Text>
              <ResultTable label={t('Calculated values')} entries={calculated} />
            </section>
          )}
          {report.data.status === 'inReview' && <Section title={t('With the report')}>{fields}</Section>}
        </Stack>
      )}
      <CriticalResultsDialog
        opened={isAsked}
        critical={critical}
        isBusy={publish.isPending}
        page="/operator/critical"
        error={publish.error?.code === 'CRITICAL_NOT_TOLD' ? null : publish.error}
        onClose={close}
        onPublish={release}
      />
    </>
  )
}
