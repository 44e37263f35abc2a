import { type TimedValue, trendOf } from '@kitlane/display/trend'

const WIDTH = 72
const HEIGHT = 22
const INSET = 3

/** A value over time, to scale; nothing where there are fewer than two. */
export function Sparkline({ values, label }: { values: readonly TimedValue[]; label: string }) {
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
