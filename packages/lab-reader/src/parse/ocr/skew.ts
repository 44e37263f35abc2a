import { type Grey, shrink } from './grey.ts'
import type { Size } from './size.ts'

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
const sharpness = (points: Float32Array, size: Size, degrees: number): number =>
  rowsOf(points, size, degrees).reduce((sum, count) => sum + count * count, 0)

/** How many dark points lie on each row of a page that is turned by so many degrees. */
function rowsOf(points: Float32Array, { width, height }: Size, degrees: number): Float32Array {
  const slope = Math.tan((degrees * Math.PI) / 180)
  const reach = Math.ceil(Math.abs(slope) * width) + 1
  const rows = new Float32Array(height + 2 * reach)
  for (let index = 0; index < points.length; index += 2) {
    const row = Math.round((points[index + 1] ?? 0) - slope * (points[index] ?? 0)) + reach
    rows[row] = (rows[row] ?? 0) + 1
  }
  return rows
}

/**
 * Whether the lines of a page run from top to bottom: the paper between lines of text makes the rows of a page alternate
 * between full and empty at some angle, and its columns hardly at any.
 */
export function isSideways(grey: Grey): boolean {
  const small = shrink(grey, Math.max(1, Math.round(Math.min(grey.width, grey.height) / 850)))
  const points = darkPoints(small)
  if (points.length < 400) return false
  const across = points.map((_, index) => points[index % 2 === 0 ? index + 1 : index - 1] ?? 0)
  const turned = { width: small.height, height: small.width }
  return mostAlternating(across, turned) > SIDEWAYS * mostAlternating(points, small)
}

/** Of scans at 72 to 300 dpi with noise, upright ones had at most 0.6, those on their side at least 1.7. */
const SIDEWAYS = 1

/** How much neighbouring rows differ, at the angle at which they do most. */
function mostAlternating(points: Float32Array, size: Size): number {
  const differences = steps(-widestDegrees, widestDegrees, 0.5).map((degrees) => {
    const rows = rowsOf(points, size, degrees)
    let sum = 0
    for (let row = 3; row < rows.length; row++) sum += ((rows[row] ?? 0) - (rows[row - 3] ?? 0)) ** 2
    return sum
  })
  return Math.max(...differences)
}
