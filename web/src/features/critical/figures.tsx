import { Group, Paper, Text } from '@mantine/core'
import { locale, t } from '../../language/t.ts'

interface CriticalFigures {
  raised: number
  open: number
  overdue: number
  medianMinutes?: number | undefined
  longestMinutes?: number | undefined
  shareInTime?: number | undefined
}

const percent = new Intl.NumberFormat(locale(), { style: 'percent', maximumFractionDigits: 1 })

/** "45 min", "3.5 h" */
export function durationOf(minutes: number | undefined): string {
  if (minutes === undefined) return '–'
  return minutes < 120
    ? t('{minutes} min', { minutes: Math.round(minutes) })
    : t('{hours} h', { hours: Math.round(minutes / 6) / 10 })
}

export const shareOf = (share: number | undefined) => (share === undefined ? '–' : percent.format(share))

/** How long critical results waited in the last 30 days. */
export function FiguresRow({ figures }: { figures: CriticalFigures }) {
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
