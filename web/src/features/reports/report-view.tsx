import {
  conditionText,
  rangesNotice,
  SCORE_NOTICE,
  thenText,
  vendorStatusText,
  withdrawnText,
} from '@kitlane/display/report-text'
import { upToItself } from '@kitlane/display/trend'
import { Alert, Group, List, Stack, Text, Title } from '@mantine/core'
import type { Report, ReportReview } from '../../api/shapes.ts'
import { RawJson } from '../../components/raw-json.tsx'
import { dayOf } from '../../components/relative-date.tsx'
import { Sheet } from '../../components/sheet.tsx'
import { said, t } from '../../language/t.ts'
import { BiomarkerRow } from './biomarker-row.tsx'
import { OriginSection } from './origin-section.tsx'
import css from './report.module.css'
import { ScoreRing } from './score-ring.tsx'
import { UnassessedSection } from './unassessed-section.tsx'

type AnyReport = Report | ReportReview

/** Scores, results that could not be assessed, then the biomarkers of each category. */
export function ReportView({ report: whole }: { report: AnyReport }) {
  const report = upToItself(whole)
  const categories = [...new Set(report.biomarker.map(({ category }) => category.name))]
  return (
    <Stack gap="lg">
      <Head report={report} />
      {report.labParamsError.length > 0 && (
        <Alert color="orange" variant="light" title={t('The laboratory noted')}>
          <List size="sm">
            {report.labParamsError.map((code) => (
              <List.Item key={code}>{said(conditionText(code))}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {report.details.withdrawn && (
        <Alert color="red" variant="light" title={t('Withdrawn by the laboratory')}>
          <List size="sm">
            {report.details.withdrawn.map((one) => (
              <List.Item key={one.biomarker}>{said(withdrawnText(one))}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <Changes report={report} />
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
            {said(SCORE_NOTICE)}
          </Text>
        </Sheet>
      )}
      <OriginSection origin={report.origin} entries={report.biomarker} />
      <UnassessedSection results={report.unassessed} />
      {categories.map((category) => (
        <Sheet key={category}>
          <Title order={2} mb="xs">
            {category}
          </Title>
          <Category entries={report.biomarker.filter((entry) => entry.category.name === category)} />
        </Sheet>
      ))}
      {report.suggestions.length > 0 && (
        <Sheet>
          <Title order={2} mb="xs">
            {t('What may help')}
          </Title>
          <List>
            {report.suggestions.map(({ text }) => (
              <List.Item key={text}>{said(text)}</List.Item>
            ))}
          </List>
        </Sheet>
      )}
      <Text size="xs" c="dimmed">
        {said(rangesNotice(report.biomarker))}
      </Text>
      <RawJson value={whole} path={jsonPath(report)} />
    </Stack>
  )
}

/** The measured values, then those calculated from them. */
function Category({ entries }: { entries: Report['biomarker'] }) {
  const calculated = entries.filter(({ type }) => type === 'calculated')
  const rows = (some: Report['biomarker']) => (
    <div className={css.list}>
      {some.map((entry) => (
        <BiomarkerRow key={entry.id} entry={entry} />
      ))}
    </div>
  )
  return (
    <>
      {rows(entries.filter(({ type }) => type === 'measured'))}
      {calculated.length > 0 && (
        <>
          <Title order={3} size="sm" mt="md">
            {t('Calculated')}
          </Title>
          {rows(calculated)}
        </>
      )}
    </>
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
