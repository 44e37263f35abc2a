import { Table, Text } from '@mantine/core'
import { StatusDot } from '../../components/status-dot.tsx'
import type { Tone } from '../../components/status-label.ts'
import { t } from '../../language/t.ts'
import { Gauge } from './gauge.tsx'
import { rangesOf } from './ranges.ts'
import { type Entry, sortByUrgency, type Urgency, urgencyOf } from './result-order.ts'

const tones: Record<Urgency, Tone> = {
  critical: 'bad',
  outside: 'fair',
  unknown: 'idle',
  inside: 'good',
}

const verdicts: Record<Entry['interpretation'], string> = {
  LL: t('Critically low'),
  HH: t('Critically high'),
  L: t('Low'),
  H: t('High'),
  A: t('Abnormal'),
  AA: t('Critically abnormal'),
  N: t('In range'),
  '': t('No verdict'),
}

interface ResultTableProps {
  label: string
  entries: readonly Entry[]
  /** Measured by the laboratory: a column shows its own words. */
  isMeasured?: boolean
}

/** Every result with its range, the most urgent first. */
export function ResultTable({ label, entries, isMeasured = false }: ResultTableProps) {
  const headers = [
    t('Biomarker'),
    t('Result'),
    t('Range'),
    t('Verdict'),
    ...(isMeasured ? [t('From the laboratory')] : []),
  ]
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table verticalSpacing="sm" aria-label={label}>
        <Table.Thead>
          <Table.Tr>
            {headers.map((header) => (
              <Table.Th key={header} scope="col">
                {header}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sortByUrgency(entries).map((entry) => (
            <Row key={entry.id} entry={entry} isMeasured={isMeasured} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

function Row({ entry, isMeasured }: { entry: Entry; isMeasured: boolean }) {
  const { label, result, comparator, displayUnit, rawText, rawUnit, note, interpretation } = entry
  const ranges = rangesOf(entry)
  const urgency = urgencyOf(entry)
  return (
    <Table.Tr>
      <Table.Td>
        {label}
        {note && (
          <Text size="sm" c="dimmed" maw={320}>
            {note}
          </Text>
        )}
      </Table.Td>
      <Table.Td fw={urgency === 'inside' ? undefined : 600}>
        {result === undefined ? '–' : `${comparator ?? ''}${result} `}
        {result !== undefined && (
          <Text component="span" inherit fw={400} c="dimmed">
            {displayUnit}
          </Text>
        )}
      </Table.Td>
      <Table.Td w={220}>
        <Gauge
          ranges={ranges}
          value={result ?? null}
          label={`${label}: ${boundsText(ranges.inRange)} ${displayUnit}`}
        />
        <Text size="xs" c="dimmed">
          {boundsText(ranges.inRange)}
        </Text>
      </Table.Td>
      <Table.Td>
        <StatusDot tone={tones[urgency]}>{verdicts[entry.critical?.flag ?? interpretation]}</StatusDot>
      </Table.Td>
      {isMeasured && (
        <Table.Td>
          {rawText} {rawUnit}
        </Table.Td>
      )}
    </Table.Tr>
  )
}

/** An interval in words: "70 to 99", "up to 5", "40 and more", "below 5.7". */
export function boundsText(bounds: Bounds | null | undefined): string {
  if (!bounds) return t('no range')
  const { low, high, lowExclusive, highExclusive } = bounds
  if (low !== null && high !== null)
    return `${lowExclusive ? 'above ' : ''}${low} to ${highExclusive ? 'below ' : ''}${high}`
  if (high !== null) return `${highExclusive ? 'below' : t('up to')} ${high}`
  if (low === null) return t('no range')
  return lowExclusive ? t('above {low}', { low }) : t('{low} and more', { low })
}

interface Bounds {
  low: number | null
  high: number | null
  lowExclusive?: boolean | undefined
  highExclusive?: boolean | undefined
}
