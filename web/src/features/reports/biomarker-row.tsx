import { placedSteps } from '@kitlane/display/finding'
import type { Interval } from '@kitlane/display/interval'
import { dateText, expectedText, limitsText, unitText, valueText } from '@kitlane/display/report-text'
import { type TimedValue, trendOf } from '@kitlane/display/trend'
import { Collapse, Text, UnstyledButton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import type { Report } from '../../api/shapes.ts'
import { Icon } from '../../components/icon.tsx'
import { StatusDot } from '../../components/status-dot.tsx'
import { locale, t } from '../../language/t.ts'
import { Gauge } from './gauge.tsx'
import { type IntervalSource, rangesOf } from './ranges.ts'
import css from './report.module.css'
import { Steps } from './steps.tsx'
import { toneOf, verdictText } from './verdicts.ts'

const WIDTH = 72
const HEIGHT = 22
const INSET = 3

/** A value over time, to scale; nothing where there are fewer than two. */
function Sparkline({ values, label }: { values: readonly TimedValue[]; label: string }) {
  const trend = trendOf(values)
  if (trend === undefined) return null
  const points = trend.points.map(({ x, y }) => ({
    x: INSET + x * (WIDTH - 2 * INSET),
    y: HEIGHT - INSET - y * (HEIGHT - 2 * INSET),
  }))
  const last = points.at(-1)
  return (
    <svg width={WIDTH} height={HEIGHT} role="img" aria-label={label}>
      <polyline
        points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
        fill="none"
        stroke="var(--mantine-color-dimmed)"
        strokeWidth="1.5"
      />
      {last && <circle cx={last.x} cy={last.y} r={2.5} fill="var(--k-accent)" />}
    </svg>
  )
}

type Entry = Report['biomarker'][number]

const either = new Intl.ListFormat(locale(), { type: 'disjunction' })

const sources: Record<IntervalSource, string> = {
  lab: t('printed by the laboratory'),
  phase: t('for the phase of the cycle'),
  age: t('for the age'),
  sex: t('for the sex'),
  union: t('for an unknown sex: the wider of both'),
  computed: t('computed beside what the laboratory printed'),
  none: t('none applies'),
}

/** Name, value, gauge, history and verdict; a click shows ranges, source and conversion. */
export function BiomarkerRow({ entry }: { entry: Entry }) {
  const [opened, { toggle }] = useDisclosure()
  const value = `${valueText(entry)} ${unitText(entry.displayUnit)}`.trim()
  const verdict = verdictText(entry)
  const ranges = rangesOf(entry)
  const steps = placedSteps(entry, ranges.inRange)
  const label = `${entry.label}: ${value}, ${verdict}`
  return (
    <>
      <UnstyledButton className={css.row} onClick={toggle} aria-expanded={opened}>
        <span className={css.name}>
          <Icon name={opened ? 'down' : 'chevron'} size={12} /> {entry.label}
        </span>
        <span className={css.value}>
          {valueText(entry)} <span className={css.unit}>{unitText(entry.displayUnit)}</span>
        </span>
        <span className={css.gauge}>
          {steps.length > 0 ? (
            <Steps steps={steps} label={label} />
          ) : (
            <Gauge ranges={ranges} value={entry.result ?? null} label={label} />
          )}
        </span>
        <span className={css.spark}>
          <Sparkline
            values={entry.historic}
            label={t('{count, plural, one {# value} other {# values}} over time', { count: entry.historic.length })}
          />
        </span>
        <StatusDot tone={toneOf(entry)}>{verdict}</StatusDot>
      </UnstyledButton>
      <Collapse expanded={opened} transitionDuration={120} keepMounted={false}>
        <Details entry={entry} />
      </Collapse>
    </>
  )
}

function Details({ entry }: { entry: Entry }) {
  const ranges = rangesOf(entry)
  const { result, alternativeUnits } = entry
  const others = result === undefined ? [] : alternativeUnits
  const limits = (interval: Interval) => limitsText(interval, entry.displayUnit)
  const reference = ranges.inRange ? `${limits(ranges.inRange)}, ${sources[ranges.source]}` : t('None')
  const expected = expectedText(entry) || t('Only the laboratory can say')
  const before = entry.historicFindings.slice(0, -1).map(({ value, timestamp }) => `${value} (${dateText(timestamp)})`)
  const lines: [string, string | undefined][] = [
    entry.finding ? [t('Expected'), expected] : [t('Reference interval'), reference],
    [t('Best range'), ranges.optimal ? limits(ranges.optimal) : undefined],
    [t('A little outside'), ranges.fair.length > 0 ? either.format(ranges.fair.map(limits)) : undefined],
    [t('Before'), before.join(', ') || undefined],
    [t('As the laboratory wrote it'), `${entry.rawText} ${entry.rawUnit}`.trim() || undefined],
    [t('Origin'), entry.type === 'calculated' ? t('Calculated from other results') : t('Measured')],
    [t('Other units'), others.map((other) => alternative(entry, other)).join(', ') || undefined],
    ['LOINC', entry.loinc],
    [t('Note'), entry.note],
  ]
  return (
    <dl className={css.details}>
      {lines
        .filter(([, text]) => text)
        .map(([name, text]) => (
          <div key={name}>
            <Text component="dt" size="xs" c="dimmed">
              {name}
            </Text>
            <Text component="dd" m={0} size="sm">
              {text}
            </Text>
          </div>
        ))}
    </dl>
  )
}

function alternative(
  { result, comparator }: Entry,
  { unit, factor, offset }: Entry['alternativeUnits'][number],
): string {
  const value = Number(((result ?? 0) * factor + offset).toPrecision(4))
  return `${valueText({ result: value, ...(comparator && { comparator }) })} ${unitText(unit)}`
}
