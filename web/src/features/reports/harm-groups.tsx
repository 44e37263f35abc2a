import { Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Sheet } from '../../components/sheet.tsx'
import { t } from '../../language/t.ts'
import { type Entry, type Harm, harms, type Sorted, type Unassessed } from './harm.ts'
import css from './report.module.css'
import { ResultFlag } from './result-flag.tsx'

const titles: Record<Harm, string> = {
  critical: t('Critical'),
  outside: t('Outside'),
  little: t('A little outside'),
  toCheck: t('In range, to check'),
  inRange: t('In range'),
  notJudged: t('Not judged'),
}

interface HarmGroupsProps<E> {
  groups: Map<Harm, Sorted<E>>
  row: (entry: E, harm: Harm) => ReactNode
  /** The line that those in range are folded behind, where others need somebody. */
  fold?: { summary: string; isOpen: boolean; onToggle: (isOpen: boolean) => void } | undefined
}

/** The values of a report in groups, the most harmful first, with what could not be assessed. */
export function HarmGroups<E extends Entry>({ groups, row, fold }: HarmGroupsProps<E>) {
  return harms.map((harm) => {
    const { entries = [], unassessed = [] } = groups.get(harm) ?? {}
    if (entries.length + unassessed.length === 0) return null
    const rows = (
      <ul className={css.values} aria-label={titles[harm]}>
        {entries.map((entry) => (
          <li key={entry.id}>{row(entry, harm)}</li>
        ))}
        {unassessed.map((result, index) => (
          <li key={result.id ?? `${result.name} ${index}`}>
            <UnassessedRow result={result} />
          </li>
        ))}
      </ul>
    )
    if (harm === 'inRange' && fold) {
      return (
        <details
          key={harm}
          className={css.fold}
          open={fold.isOpen}
          onToggle={(event) => fold.onToggle(event.currentTarget.open)}
        >
          <summary>{fold.summary}</summary>
          {rows}
        </details>
      )
    }
    return (
      <Sheet key={harm}>
        <Title order={2} size="h3">
          {titles[harm]}
        </Title>
        {rows}
      </Sheet>
    )
  })
}

/** What was received and not judged, with the reason. */
function UnassessedRow({ result }: { result: Unassessed }) {
  const { name, value, unit, range, flag, reason, critical } = result
  return (
    <div className={css.line}>
      <span>{name || t('No name')}</span>
      <span className={css.value}>
        {value || t('no value')} <span className={css.unit}>{unit}</span>
      </span>
      <span />
      <span>{critical || flag ? <ResultFlag flag={flag} critical={critical} /> : null}</span>
      <Text size="sm" c="dimmed" component="div" className={css.wide}>
        {[range && t('Range {range}', { range }), reason || t('The value could not be assessed.')]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </div>
  )
}
