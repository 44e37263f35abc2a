import type { components } from '@kitlane/client'
import { Alert, List, Paper, Stack, Text } from '@mantine/core'
import { PageLink } from '../../components/page-link.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { t } from '../../language/t.ts'

export type LabAnswer = components['schemas']['LabResultsTaken']
export type AcceptedReport = LabAnswer['reports'][number]

/** The outcome for each sample of a message. */
export function AcceptedReports({ answer }: { answer: LabAnswer }) {
  return (
    <Stack gap="sm" role="status">
      {answer.notes.map((note) => (
        <Text key={note}>{note}</Text>
      ))}
      {answer.reports.map((accepted, index) => (
        <AcceptedReportCard key={accepted.reportID ?? accepted.messageID ?? index} accepted={accepted} />
      ))}
    </Stack>
  )
}

export function AcceptedReportCard({ accepted }: { accepted: AcceptedReport }) {
  const { status, kitID, reportID, reason, matched, unmatched, critical } = accepted
  return (
    <Paper withBorder p="md">
      <Stack gap="xs">
        {status === 'reported' ? (
          <StatusDot tone="good">{t('On kit {kitID}', { kitID: kitID ?? '' })}</StatusDot>
        ) : (
          <StatusDot tone="fair">{t('Waiting for review')}</StatusDot>
        )}
        {reason && <Text>{reason}</Text>}
        {critical.length > 0 && (
          <Alert color="red" title={t('Critical results: call the person in charge now')}>
            {critical.join(', ')}
          </Alert>
        )}
        <Text>
          {t('{count, plural, one {# result was matched.} other {# results were matched.}}', { count: matched })}
        </Text>
        {unmatched.length > 0 && (
          <Text>
            {t(
              '{count, plural, one {# could not be matched and is kept as received:} other {# could not be matched and are kept as received:}}',
              { count: unmatched.length },
            )}
          </Text>
        )}
        {unmatched.length > 0 && (
          <List size="sm">
            {unmatched.map(({ name, reason: why }) => (
              <List.Item key={name}>
                {name}: {why}
              </List.Item>
            ))}
          </List>
        )}
        {reportID && (
          <PageLink to={`/operator/review/${reportID}`}>{t('Review report {reportID}', { reportID })}</PageLink>
        )}
        {!reportID && accepted.messageID && <PageLink to="/operator/unmatched">{t('See unmatched results')}</PageLink>}
      </Stack>
    </Paper>
  )
}
