import { Stack, Text, Title } from '@mantine/core'
import { useId } from 'react'
import { Sheet } from '../../../components/sheet.tsx'
import { StatusShape } from '../../../components/status-dot.tsx'
import { t } from '../../../language/t.ts'
import { byHarm, type Harm, harms, type Reviewed, type Sorted } from './harm.ts'
import css from './review.module.css'
import { UnassessedRow, ValueRow } from './value-row.tsx'

const titles: Record<Harm, string> = {
  critical: t('Critical'),
  outside: t('Outside'),
  little: t('A little outside'),
  notJudged: t('Not judged'),
  toCheck: t('In range, to check'),
  fine: t('In range'),
}

interface WhatColumnProps {
  report: Reviewed
  /** Whether those in range are shown though others need somebody. */
  isUnfolded: boolean
  onFold: (isUnfolded: boolean) => void
}

/** What to look at, then every value by harm. Those in range are folded, unless there is nothing else. */
export function WhatColumn({ report, isUnfolded, onFold }: WhatColumnProps) {
  const sorted = byHarm(report)
  const sizeOf = (harm: Harm) => {
    const { entries = [], unassessed = [] } = sorted.get(harm) ?? {}
    return entries.length + unassessed.length
  }
  const isAllFine = harms.every((harm) => harm === 'fine' || sizeOf(harm) === 0)
  const fine = sizeOf('fine')
  return (
    <Stack gap="lg" className={css.values}>
      {report.checks.length > 0 && <Checks checks={report.checks} />}
      <Stack gap="lg" component="section" aria-label={t('Values')}>
        {harms.map((harm) => {
          const group = sorted.get(harm)
          if (!group || sizeOf(harm) === 0) return null
          if (harm !== 'fine' || isAllFine) return <Group key={harm} harm={harm} group={group} />
          return (
            <details
              key={harm}
              className={css.fold}
              open={isUnfolded}
              onToggle={(event) => onFold(event.currentTarget.open)}
            >
              <summary>
                {t('{count, plural, one {# result in range} other {# results in range}}', { count: fine })}
              </summary>
              <Rows harm={harm} group={group} label={titles.fine} />
            </details>
          )
        })}
        {harms.every((harm) => sizeOf(harm) === 0) && <Text c="dimmed">{t('This report has no results.')}</Text>}
      </Stack>
    </Stack>
  )
}

function Group({ harm, group }: { harm: Harm; group: Sorted }) {
  return (
    <Sheet>
      <Title order={2} size="h3">
        {titles[harm]}
      </Title>
      <Rows harm={harm} group={group} label={titles[harm]} />
    </Sheet>
  )
}

function Rows({ harm, group, label }: { harm: Harm; group: Sorted; label: string }) {
  return (
    <ul className={css.lines} style={{ gap: 0 }} aria-label={label}>
      {group.entries.map((entry) => (
        <ValueRow key={entry.id} entry={entry} harm={harm} />
      ))}
      {group.unassessed.map((result, index) => (
        <UnassessedRow key={result.id ?? `${result.name} ${index}`} result={result} />
      ))}
    </ul>
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
