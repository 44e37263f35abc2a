import { columnsIn } from './columns.ts'
import type { Line } from './text.ts'

/** Points left of the second table's heading of names at which its cells may begin. */
const SLACK = 6

/** Two tables that stand side by side, one below the other: each line of both is cut where the second one begins. */
export function unfold(lines: readonly Line[]): Line[] {
  const unfolded: Line[] = []
  for (let index = 0; index < lines.length; ) {
    const line = lines[index]
    if (!line) break
    const seam = seamOf(line)
    let end = index + 1
    if (seam === undefined) unfolded.push(line)
    else {
      for (let next = lines[end]; next && next.page === line.page && !columnsIn(next); next = lines[end]) end++
      // A title of each table may stand above both headings.
      const above = unfolded.at(-1)
      const titles = above && isAboveBoth(above, line, seam) ? [{ ...above, endsTable: true as const }] : []
      if (titles.length > 0) unfolded.pop()
      const block = [...titles, ...lines.slice(index, end)]
      unfolded.push(...block.flatMap((one) => part(one, (x0) => x0 < seam)))
      unfolded.push(...block.flatMap((one) => part(one, (x0) => x0 >= seam)))
    }
    index = end
  }
  return unfolded
}

/** Where the second table begins: its heading names an analyte again, and a value behind that. */
function seamOf(line: Line): number | undefined {
  const columns = columnsIn(line) ?? []
  const names = columns.filter(({ kind }) => kind === 'name')
  const values = columns.filter(({ kind }) => kind === 'value')
  const [, second] = names
  if (names.length !== 2 || values.length !== 2 || !second) return undefined
  const isBetween = (values[0]?.x0 ?? 0) < second.x0 && (values[1]?.x0 ?? 0) > second.x0
  const seam = second.x0 - SLACK
  // A half without a unit and a range of its own is no table.
  const isTwo = [part(line, (x0) => x0 < seam), part(line, (x0) => x0 >= seam)].every((half) => half.some(columnsIn))
  return isBetween && isTwo ? seam : undefined
}

const isAboveBoth = (above: Line, heading: Line, seam: number): boolean =>
  above.page === heading.page &&
  above.y - heading.y < 3 * heading.height &&
  above.cells.length <= 2 &&
  above.cells.some(({ x0 }) => x0 >= seam)

function part(line: Line, isIn: (x0: number) => boolean): Line[] {
  const cells = line.cells.filter(({ x0 }) => isIn(x0))
  return cells.length === 0 ? [] : [{ ...line, cells, text: cells.map(({ text }) => text).join('  ') }]
}
