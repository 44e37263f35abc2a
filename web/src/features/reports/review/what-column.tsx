import { Alert, Stack, Text, Title } from '@mantine/core'
import { useId } from 'react'
import { Sheet } from '../../../components/sheet.tsx'
import { StatusShape } from '../../../components/status-dot.tsx'
import { t } from '../../../language/t.ts'
import { groupsByHarm, type Reviewed } from '../harm.ts'
import { HarmGroups } from '../harm-groups.tsx'
import { openingText } from '../opening.ts'
import css from './review.module.css'
import { ValueRow } from './value-row.tsx'

interface WhatColumnProps {
  report: Reviewed
  /** Whether those in range are shown though others need somebody. */
  isUnfolded: boolean
  onFold: (isUnfolded: boolean) => void
}

/** What to look at, then every value by harm. Those in range are folded, unless there is nothing else. */
export function WhatColumn({ report, isUnfolded, onFold }: WhatColumnProps) {
  const groups = groupsByHarm(report)
  const total = report.biomarker.length + report.unassessed.length
  const inRange = groups.get('inRange')?.entries.length ?? 0
  const summary = t('{count, plural, one {# result in range} other {# results in range}}', { count: inRange })
  const fold = inRange < total ? { summary, isOpen: isUnfolded, onToggle: onFold } : undefined
  return (
    <Stack gap="lg">
      {report.isRecalled && (
        <Alert color="red" title={t('Recalled')}>
          {t('The kit, or what its sample was tested with, was recalled. Nothing of this report is published.')}
        </Alert>
      )}
      <Text>{openingText(report.opening)}</Text>
      {report.checks.length > 0 && <Checks checks={report.checks} />}
      <Stack gap="lg" component="section" aria-label={t('Values')}>
        <HarmGroups groups={groups} fold={fold} row={(entry) => <ValueRow entry={entry} />} />
        {total === 0 && <Text c="dimmed">{t('This report has no results.')}</Text>}
      </Stack>
    </Stack>
  )
}

/** What the checks found: they only ask to look. */
function Checks({ checks }: { checks: Reviewed['checks'] }) {
  const id = useId()
  return (
    <Sheet aria-labelledby={id}>
      <Title order={2} size="h3" id={id} mb="xs">
        {t('Look at this first')}
      </Title>
      <ul className={css.lines} style={{ gap: 12 }}>
        {checks.map(({ code, biomarkers, message, source }) => (
          <li key={`${code} ${biomarkers.join()}`} className={css.check}>
            <StatusShape tone="fair" />
            <div>
              <span lang="en">{message}</span>
              <Text size="xs" c="dimmed">
                {source}
              </Text>
            </div>
          </li>
        ))}
      </ul>
      <Text size="xs" c="dimmed">
        {t('Checks change no verdict and no flag of the laboratory.')}
      </Text>
    </Sheet>
  )
}
