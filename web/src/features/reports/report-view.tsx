import {
  conditionCode,
  conditionText,
  rangesNotice,
  SCORE_NOTICE,
  thenText,
  vendorStatusText,
  withdrawnText,
} from '@kitlane/display/report-text'
import { upToItself } from '@kitlane/display/trend'
import { Alert, Group, List, RingProgress, Stack, Text, Title } from '@mantine/core'
import { RawJson } from '../../components/raw-json.tsx'
import { dayOf } from '../../components/relative-date.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { say, t } from '../../language/t.ts'
import { BiomarkerRow } from './biomarker-row.tsx'
import { type AnyReport, groupsByHarm } from './harm.ts'
import { HarmGroups } from './harm-groups.tsx'
import { openingText } from './opening.ts'
import { OriginSection } from './origin-section.tsx'

const LATER = 'LATER_VERSION_IN_REVIEW'

/** A sentence about the whole, the values by harm, then scores and where the results come from. */
export function ReportView({ report: whole }: { report: AnyReport }) {
  const report = upToItself(whole)
  const notice = rangesNotice(report.biomarker)
  const noted = report.labParamsError.filter((code) => conditionCode(code) !== LATER)
  return (
    <Stack gap="lg">
      <Head report={report} />
      <Text size="lg">{openingText(report.opening)}</Text>
      {noted.length < report.labParamsError.length && (
        <Alert color="orange" variant="light" title={t('A later version waits')}>
          {say(conditionText(LATER))}
        </Alert>
      )}
      {noted.length > 0 && (
        <Alert color="orange" variant="light" title={t('The laboratory noted')}>
          <List size="sm">
            {noted.map((code) => (
              <List.Item key={code}>{say(conditionText(code))}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {report.details.withdrawn && (
        <Alert color="red" variant="light" title={t('Withdrawn by the laboratory')}>
          <List size="sm">
            {report.details.withdrawn.map((one) => (
              <List.Item key={one.biomarker}>{say(withdrawnText(one))}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Changes report={report} />
      <Stack gap="lg" component="section" aria-label={t('Values')}>
        <HarmGroups groups={groupsByHarm(report)} row={(entry) => <BiomarkerRow entry={entry} />} />
      </Stack>
      {report.axes.length + report.axesNotScored.length > 0 && (
        <Sheet aria-label={t('Scores')}>
          <Group gap="md" align="flex-start">
            {report.axes.map(({ axis, category, result }) => (
              <ScoreRing key={axis} name={category} score={result} />
            ))}
            {report.axesNotScored.map(({ axis, category }) => (
              <ScoreRing key={axis} name={category} score={null} />
            ))}
          </Group>
          <Text size="xs" c="dimmed" mt="sm">
            {say(SCORE_NOTICE)}
          </Text>
        </Sheet>
      )}
      <OriginSection origin={report.origin} entries={report.biomarker} collectedSaid={report.details.collectedSaid} />
      {report.suggestions.length > 0 && (
        <Sheet>
          <Title order={2} mb="xs">
            {t('What may help')}
          </Title>
          <List>
            {report.suggestions.map(({ text }) => (
              <List.Item key={text}>{text}</List.Item>
            ))}
          </List>
        </Sheet>
      )}
      <Text size="xs" c="dimmed">
        {notice && say(notice)}
      </Text>
      <RawJson value={whole} path={jsonPath(report)} />
    </Stack>
  )
}

function Head({ report: { details, kitID } }: { report: AnyReport }) {
  const facts = [
    details.collectedDate && t('Collected {day}', { day: dayOf(details.collectedDate) }),
    details.resultedDate &&
      (details.collectedDate
        ? t('resulted {day}', { day: dayOf(details.resultedDate) })
        : t('Resulted {day}', { day: dayOf(details.resultedDate) })),
    vendorStatusText(details.vendorStatus),
    t('version {version}', { version: details.version }),
    kitID && t('kit {kitID}', { kitID }),
  ]
  return <Text c="dimmed">{facts.filter(Boolean).join(' · ')}</Text>
}

function Changes({ report: { details } }: { report: AnyReport }) {
  if (!details.changes?.length && !details.reason) return null
  return (
    <Alert variant="light" title={details.reason ?? t('What changed in this version')}>
      <List size="sm">
        {details.changes?.map(({ biomarker, label, before, after }) => (
          <List.Item key={biomarker}>
            {t('{label}: {before} before, {after} now', { label, before: thenText(before), after: thenText(after) })}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

function jsonPath(report: AnyReport): string {
  return 'customer' in report ? `/api/v1/reports/${report.id}` : `/api/v1/customers/<customer>/reports/${report.id}`
}

/** A score from 0 to 100 as a ring with its number; a dash without one. */
function ScoreRing({ name, score, size = 76 }: { name: string; score: number | null; size?: number }) {
  return (
    <Stack gap={2} align="center" w={112}>
      <RingProgress
        size={size}
        thickness={6}
        roundCaps
        sections={[{ value: score ?? 0, color: colorOf(score) }]}
        label={
          <Text ta="center" fw={600}>
            {score === null ? '–' : Math.round(score)}
          </Text>
        }
        aria-hidden
      />
      <Text size="sm" ta="center">
        {name}
      </Text>
    </Stack>
  )
}

// 75 is the reference limit, 50 a quarter beyond it: docs/scoring.md.
function colorOf(score: number | null): string {
  if (score === null) return 'var(--k-idle)'
  if (score >= 75) return 'var(--k-good)'
  return score >= 50 ? 'var(--k-fair)' : 'var(--k-bad)'
}
