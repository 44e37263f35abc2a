import { Group, Text } from '@mantine/core'
import type { Overview } from '../../api/shapes.ts'
import { dayOf } from '../../components/relative-date.tsx'
import { t } from '../../language/t.ts'

type Day = Overview['days'][number]

const WIDTH = 600
const HEIGHT = 180
const BOTTOM = 20
const TOP = 8

/** Orders as bars and reports as a line, on one scale. Each day has its numbers as a tooltip, also for screen readers. */
export function DaysChart({ days }: { days: Day[] }) {
  // Even, so that the middle line is a whole number.
  const most = 2 * Math.ceil(Math.max(4, ...days.map(({ orders, reports }) => Math.max(orders, reports ?? 0))) / 2)
  const step = WIDTH / Math.max(1, days.length)
  const y = (count: number) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - count / most)
  const middle = (index: number) => step * (index + 0.5)
  const [first, last] = [days[0], days.at(-1)]
  return (
    <>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="100%" role="img" aria-label={summary(days)}>
        {[most, most / 2].map((count) => (
          <g key={count}>
            <line x1={0} x2={WIDTH} y1={y(count)} y2={y(count)} stroke="var(--k-line)" />
            <text x={2} y={y(count) + 12} fontSize={11} fill="var(--mantine-color-dimmed)">
              {count}
            </text>
          </g>
        ))}
        <line x1={0} x2={WIDTH} y1={y(0)} y2={y(0)} stroke="var(--k-line)" />
        {days.map(({ date, orders, reports }, index) => (
          <g key={date}>
            <title>
              {t(
                '{day}: {orders, plural, one {# order} other {# orders}}, {reports, plural, one {# report} other {# reports}}',
                { day: dayOf(date), orders, reports: reports ?? 0 },
              )}
            </title>
            <rect x={step * index} y={0} width={step} height={HEIGHT - BOTTOM} fill="transparent" />
            <rect
              x={step * index + step * 0.2}
              y={y(orders)}
              width={step * 0.6}
              height={Math.max(0, y(0) - y(orders))}
              rx={1.5}
              fill="var(--k-accent)"
            />
          </g>
        ))}
        <polyline
          points={days.map(({ reports }, index) => `${middle(index)},${y(reports ?? 0)}`).join(' ')}
          fill="none"
          stroke="var(--k-good)"
          strokeWidth={2}
          pointerEvents="none"
        />
        {first && (
          <text x={0} y={HEIGHT - 5} fontSize={11} fill="var(--mantine-color-dimmed)">
            {dayOf(first.date)}
          </text>
        )}
        {last && (
          <text x={WIDTH} y={HEIGHT - 5} fontSize={11} fill="var(--mantine-color-dimmed)" textAnchor="end">
            {dayOf(last.date)}
          </text>
        )}
      </svg>
      <Group gap="lg" mt={4}>
        <Key color="var(--k-accent)">{t('Orders')}</Key>
        <Key color="var(--k-good)">{t('Reports')}</Key>
      </Group>
    </>
  )
}

function Key({ color, children }: { color: string; children: string }) {
  return (
    <Group gap={6}>
      <span style={{ width: 10, height: 10, borderRadius: 2, background: color }} />
      <Text size="sm">{children}</Text>
    </Group>
  )
}

function summary(days: Day[]): string {
  const orders = days.reduce((sum, day) => sum + day.orders, 0)
  const reports = days.reduce((sum, day) => sum + (day.reports ?? 0), 0)
  return t(
    '{orders, plural, one {# order} other {# orders}} and {reports, plural, one {# report} other {# reports}} in the last {count, plural, one {# day} other {# days}}',
    { orders, reports, count: days.length },
  )
}
