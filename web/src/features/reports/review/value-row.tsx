import { placedSteps } from '@kitlane/display/finding'
import { unitText, valueText } from '@kitlane/display/report-text'
import { Text } from '@mantine/core'
import { dayOf } from '../../../components/relative-date.tsx'
import { StatusDot } from '../../../components/status-dot.tsx'
import { t } from '../../../language/t.ts'
import { boundsText } from '../bounds-text.ts'
import { Gauge } from '../gauge.tsx'
import type { Reviewed } from '../harm.ts'
import { rangesOf } from '../ranges.ts'
import css from '../report.module.css'
import { Steps } from '../steps.tsx'
import { toneOf, verdictText } from '../verdicts.ts'

type Entry = Reviewed['biomarker'][number]

/** One value: name, number, where it lies, verdict; below it the result before, and the words of the laboratory. */
export function ValueRow({ entry }: { entry: Entry }) {
  const { label, displayUnit, note, type } = entry
  const ranges = rangesOf(entry)
  const steps = placedSteps(entry, ranges.inRange)
  const bounds = boundsText(ranges.inRange)
  const place = `${label}: ${bounds} ${displayUnit}`
  return (
    <div className={css.line}>
      <span>{label}</span>
      <span className={css.value}>
        {valueText(entry)} <span className={css.unit}>{unitText(displayUnit)}</span>
      </span>
      <span className={css.gauge}>
        {steps.length > 0 ? (
          <Steps steps={steps} label={place} />
        ) : (
          <Gauge ranges={ranges} value={entry.result ?? null} label={place} />
        )}
      </span>
      <StatusDot tone={toneOf(entry)}>{verdictText(entry)}</StatusDot>
      <Text size="sm" c="dimmed" component="div" className={css.wide}>
        <Before entry={entry} />
        {[
          ranges.inRange ? t('Range {range}', { range: bounds }) : '',
          type === 'calculated' ? t('Calculated from other results') : asSent(entry),
          note,
        ]
          .filter(Boolean)
          .join(' · ')}
      </Text>
    </div>
  )
}

/** The result before, and by how much this one differs. */
function Before({ entry: { previous, displayUnit } }: { entry: Entry }) {
  if (!previous) return null
  const { difference, percent, date, laboratory, value } = previous
  const before = value ?? valueText(previous)
  const by = difference === undefined ? '' : signed(difference)
  const change = percent === undefined ? by : `${by} (${signed(percent)} %)`
  return (
    <div>
      {t('Before: {before} {unit}, {day}', { before, unit: unitText(displayUnit), day: dayOf(date) })}
      {laboratory && ` · ${laboratory}`}
      {change && (
        <Text component="span" inherit fw={600} c="var(--mantine-color-text)">
          {` · ${change}`}
        </Text>
      )}
    </div>
  )
}

const signed = (number: number) => `${number > 0 ? '+' : number < 0 ? '−' : '±'}${Math.abs(number)}`

/** What the laboratory wrote, where that is not what is shown. */
function asSent({ rawText, rawUnit, displayUnit, ...entry }: Entry): string {
  const sent = `${rawText} ${rawUnit}`.trim()
  const isSame = sent === `${valueText(entry)} ${displayUnit}`.trim()
  return isSame || rawText === '' ? '' : t('Laboratory: {sent}', { sent })
}
