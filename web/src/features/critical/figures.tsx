import type { components } from '@kitlane/client'
import { Group, Paper, Text } from '@mantine/core'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Section } from '../../components/section.tsx'
import { locale, t } from '../../language/t.ts'

type Schemas = components['schemas']
type OfBusiness = Schemas['OperatorCriticalFigures']['businesses'][number]

const percent = new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 })

// "45 min", "3.5 h"
function durationOf(minutes: number | undefined): string {
  if (minutes === undefined) return '–'
  return minutes < 120
    ? t('{minutes} min', { minutes: Math.round(minutes) })
    : t('{hours} h', { hours: Math.round(minutes / 6) / 10 })
}

const shareOf = (share: number | undefined) => (share === undefined ? '–' : percent.format(share))

/** How long critical results waited in the last 30 days. */
export function FiguresRow({ figures }: { figures: Schemas['CriticalFigures'] }) {
  const { raised, open, overdue, medianMinutes, longestMinutes, shareInTime } = figures
  const shown = [
    [t('Raised in 30 days'), String(raised)],
    [t('Open'), String(open)],
    [t('Overdue'), String(overdue)],
    [t('Median wait'), durationOf(medianMinutes)],
    [t('Longest wait'), durationOf(longestMinutes)],
    [t('In time'), shareOf(shareInTime)],
  ]
  return (
    <Group gap="sm" mb="lg">
      {shown.map(([name, value]) => (
        <Paper key={name} withBorder p="sm" miw={120}>
          <Text size="xs" c="dimmed">
            {name}
          </Text>
          <Text fw={600} size="lg">
            {value}
          </Text>
        </Paper>
      ))}
    </Group>
  )
}

/** The same of each business that had any. */
export function FiguresByBusiness({ businesses }: { businesses: OfBusiness[] }) {
  if (businesses.length === 0) return null
  return (
    <Section title={t('How long they waited in the last 30 days')}>
      <DataTable
        label={t('How long critical results waited')}
        rows={businesses}
        rowKey={({ business }) => business.id}
        columns={columns}
        empty={{ title: t('None'), text: t('There was no critical result.') }}
      />
    </Section>
  )
}

const columns: Column<OfBusiness>[] = [
  { header: t('Business'), cell: ({ business }) => business.name },
  { header: t('Raised'), align: 'right', cell: ({ raised }) => raised },
  { header: t('Open'), align: 'right', cell: ({ open }) => open },
  { header: t('Overdue'), align: 'right', cell: ({ overdue }) => overdue },
  { header: t('Median wait'), align: 'right', cell: ({ medianMinutes }) => durationOf(medianMinutes) },
  { header: t('Longest wait'), align: 'right', cell: ({ longestMinutes }) => durationOf(longestMinutes) },
  { header: t('In time'), align: 'right', cell: ({ shareInTime }) => shareOf(shareInTime) },
]
