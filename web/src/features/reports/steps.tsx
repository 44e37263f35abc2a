import type { PlacedStep } from '@kitlane/display/finding'

const WIDTH = 200
const HEIGHT = 22
const GAP = 2

const COLORS: Record<PlacedStep['zone'], string> = {
  good: 'var(--k-band-good)',
  poor: 'var(--k-band-poor)',
  unknown: 'var(--k-line)',
}

/** The steps of a result that is no plain number, such as Negative to 4+; the result's own has a frame. */
export function Steps({ steps, label }: { steps: readonly PlacedStep[]; label: string }) {
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} width="100%" height={HEIGHT} role="img" aria-label={label}>
      {steps.map(({ label: text, zone, isResult, from, to }) => {
        const [x, width] = [from * WIDTH + GAP / 2, (to - from) * WIDTH - GAP]
        return (
          <g key={text}>
            <rect
              x={x}
              y={2}
              width={width}
              height={HEIGHT - 4}
              rx={3}
              fill={COLORS[zone]}
              stroke={isResult ? 'var(--mantine-color-text)' : 'none'}
              strokeWidth={1.5}
            />
            <text
              x={x + width / 2}
              y={14}
              textAnchor="middle"
              fontSize={Math.min(9, (1.7 * width) / text.length)}
              fontWeight={isResult ? 700 : 400}
              fill="var(--mantine-color-text)"
            >
              {text}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
