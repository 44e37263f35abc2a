import type { Second } from '../suite/latencies.ts'

const [WIDTH, HEIGHT, LEFT, BOTTOM] = [1200, 420, 60, 40]
const TICKS = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500]

const lines: { of: keyof Second; name: string; color: string }[] = [
  { of: 'max', name: 'max', color: '#d9a441' },
  { of: 'p99', name: 'p99', color: '#b3261e' },
  { of: 'p50', name: 'p50', color: '#0f766e' },
]

/** An SVG of latency by second, on a logarithmic scale, with the limit as a dashed line. */
export function plot(seconds: readonly Second[], { title, limitMs }: { title: string; limitMs: number }): string {
  const top = Math.max(100, ...seconds.map(({ max }) => max)) * 1.2
  const x = (second: number) => LEFT + (second / Math.max(1, seconds.length - 1)) * (WIDTH - LEFT - 20)
  const y = (ms: number) => HEIGHT - BOTTOM - (Math.log(Math.max(1, ms)) / Math.log(top)) * (HEIGHT - BOTTOM - 40)
  const text = (at: [number, number], words: string, more = '') =>
    `<text x="${at[0]}" y="${at[1]}" ${more}>${words}</text>`
  const across = (ms: number, style: string) => `<path d="M${LEFT} ${y(ms)}H${WIDTH - 20}" ${style}/>`
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
${text([LEFT, 22], title, 'font-size="15"')}
${TICKS.filter((ms) => ms < top)
  .map((ms) => across(ms, 'stroke="#ddd"') + text([LEFT - 8, y(ms) + 4], `${ms} ms`, 'text-anchor="end"'))
  .join('\n')}
${across(limitMs, 'stroke="#b3261e" stroke-dasharray="6 4"')}
${lines
  .map(({ of, color }) => {
    const points = seconds.map((second, index) => `${x(index).toFixed(1)},${y(second[of]).toFixed(1)}`)
    return `<polyline fill="none" stroke="${color}" points="${points.join(' ')}"/>`
  })
  .join('\n')}
${lines.map(({ name, color }, index) => text([WIDTH - 200 + index * 60, 22], name, `fill="${color}"`)).join('\n')}
${text([LEFT, HEIGHT - 12], '0 s')}
${text([WIDTH - 20, HEIGHT - 12], `${seconds.length} s`, 'text-anchor="end"')}
</svg>
`
}
