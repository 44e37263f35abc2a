import { type Grey, shrink } from './grey.ts'

const widestDegrees = 6
const dark = 140

/** By how many degrees the lines of a page fall to the right: at that angle most rows are either full or empty. */
export function skewDegrees(grey: Grey): number {
  const small = shrink(grey, Math.max(1, Math.round(Math.min(grey.width, grey.height) / 850)))
  const points = darkPoints(small)
  if (points.length < 200) return 0
  const best = (angles: readonly number[]) =>
    angles.reduce((a, b) => (sharpness(points, small, b) > sharpness(points, small, a) ? b : a))
  const coarse = best(steps(-widestDegrees, widestDegrees, 0.5))
  return best(steps(coarse - 0.5, coarse + 0.5, 0.1))
}

function steps(from: number, to: number, by: number): number[] {
  return Array.from({ length: Math.round((to - from) / by) + 1 }, (_, index) => from + index * by)
}

/** At most about 60,000 points, as x and y in turn: more do not improve the result. */
function darkPoints({ data, width, height }: Grey): Float32Array {
  const found: number[] = []
  const total = data.reduce((sum, value) => sum + (value < dark ? 1 : 0), 0)
  // Half of a page that is dark is a picture, not text.
  if (total > 0.5 * data.length) return new Float32Array()
  const every = Math.max(1, Math.floor(total / 60_000))
  let seen = 0
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((data[y * width + x] ?? 255) < dark && seen++ % every === 0) found.push(x, y)
    }
  }
  return Float32Array.from(found)
}

/** The sum of the squares of how many dark points lie on each row of the turned page. */
function sharpness(points: Float32Array, { width, height }: Grey, degrees: number): number {
  const slope = Math.tan((degrees * Math.PI) / 180)
  const reach = Math.ceil(Math.abs(slope) * width) + 1
  const rows = new Float32Array(height + 2 * reach)
  for (let index = 0; index < points.length; index += 2) {
    const row = Math.round((points[index + 1] ?? 0) - slope * (points[index] ?? 0)) + reach
    rows[row] = (rows[row] ?? 0) + 1
  }
  return rows.reduce((sum, count) => sum + count * count, 0)
}
