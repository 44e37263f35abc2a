import { type Gauge as GaugeGeometry, gaugeOf, type Ranges } from '@kitlane/display/gauge'

const WIDTH = 200
const HEIGHT = 22
// Room for half a marker at either end, so that its centre is exactly at the value.
const INSET = 5
const BAND_TOP = 8
const BAND_HEIGHT = 6

const COLORS: Record<GaugeGeometry['zones'][number]['zone'], string> = {
  optimal: 'var(--k-good)',
  good: 'var(--k-band-good)',
  fair: 'var(--k-band-fair)',
  poor: 'var(--k-band-poor)',
}

/** The bands of a biomarker and the marker of its value, as in the PDF. Draws nothing without ranges. */
export function Gauge({ ranges, value, label }: { ranges: Ranges; value: number | null; label: string }) {
  const gauge = gaugeOf(ranges, value)
  if (gauge === undefined) return null
  return (
    <svg
      viewBox={`${-INSET} 0 ${WIDTH + 2 * INSET} ${HEIGHT}`}
      preserveAspectRatio="xMinYMid"
      width="100%"
      height={HEIGHT}
      role="img"
      aria-label={label}
    >
      {gauge.zones.map(({ zone, from, to }) => (
        <rect
          key={`${zone} ${from}`}
          x={from * WIDTH + 0.75}
          y={BAND_TOP}
          width={Math.max(0, (to - from) * WIDTH - 1.5)}
          height={BAND_HEIGHT}
          rx={2}
          fill={COLORS[zone]}
        />
      ))}
      {gauge.marker !== undefined && <Marker x={gauge.marker * WIDTH} beyond={gauge.beyond} />}
    </svg>
  )
}

function Marker({ x, beyond }: { x: number; beyond: GaugeGeometry['beyond'] }) {
  const point = beyond === 'low' ? -4 : 4
  return beyond ? (
    <path d={`M${x - point} 4v14l${2 * point} -7z`} fill="var(--mantine-color-text)" />
  ) : (
    <rect
      x={x - 2.5}
      y={3}
      width={5}
      height={16}
      rx={2.5}
      fill="var(--mantine-color-text)"
      stroke="var(--mantine-color-body)"
    />
  )
}
