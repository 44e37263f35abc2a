import { isKnownUnit, normaliseUnit } from '../../facts/convert.ts'
import { hasUsualWords } from '../order-name.ts'
import { columnsIn, knownKind } from './columns.ts'
import type { Line } from './text.ts'

/** The lines by which a heading is understood. */
const MOST_LINES = 40
/** Points left of the second table's heading of names at which its cells may begin. */
const SLACK = 6

/** Two tables that stand side by side, one below the other: each line of both is cut where the second one begins. */
export function unfold(lines: readonly Line[]): Line[] {
  const unfolded: Line[] = []
  for (let index = 0; index < lines.length; ) {
    const line = lines[index]
    if (!line) break
    const isTitled = ofSystems.test(lines[index - 1]?.text ?? '')
    const ofUnits = isTitled ? seamOfUnits(line, lines.slice(index + 1, index + MOST_LINES)) : undefined
    const seam = ofUnits ?? seamOf(line) ?? seamOfPanels(line)
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
      const isOfRight = (one: Line) => one.cells.some(({ x0 }) => x0 >= seam)
      const isAgain = (one: Line, x0: number) => ofUnits !== undefined && !one.endsTable && x0 === one.cells[0]?.x0
      const right = block.filter(isOfRight)
      unfolded.push(...right.flatMap((one) => part(one, (x0) => x0 >= seam || isAgain(one, x0))))
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

/** Titles of the units of two tables. */
const ofSystems =
  /(?<!\p{L})(?:conventional|traditional|konventionell|conventionnel|convencional|convenzional)\p{L}*.*(?<!\p{L})SI(?!\p{L})|(?<!\p{L})SI(?!\p{L}).*(?:[ck]onven|tradition)/iu

/** The same below such titles, where one column of names stands before both: "Test  Result  Units  Range  Result  Units  Range". */
function seamOfUnits(line: Line, below: readonly Line[]): number | undefined {
  const [name, ...columns] = columnsIn(line) ?? []
  const [left, right] = [columns.slice(0, columns.length / 2), columns.slice(columns.length / 2)]
  const kinds = (half: typeof columns) => half.map(({ kind }) => kind).join()
  const isTwice = name?.kind === 'name' && kinds(left) === kinds(right) && /^value,.*unit/.test(kinds(left))
  const [last, first] = [left.at(-1), right[0]]
  if (!isTwice || !last || !first) return undefined
  const seam = (last.x1 + first.x0) / 2
  const unitsOf = ({ cells }: Line, isIn: (x0: number) => boolean) =>
    cells.flatMap(({ text, x0 }) => (isIn(x0) && isKnownUnit(text) ? normaliseUnit(text) : []))
  const end = below.findIndex((one) => one.page !== line.page || columnsIn(one))
  const pairs = below
    .slice(0, end < 0 ? undefined : end)
    .map((one) => [unitsOf(one, (x0) => x0 < seam), unitsOf(one, (x0) => x0 >= seam)].flat())
    .filter((units) => units.length > 1)
  return pairs.length > 1 && pairs.every(([one, other]) => one !== other) ? seam : undefined
}

/** Neither a person nor a time is a panel: "Women  Result  Men  Result" is of a couple. */
const ofSomebody =
  /(?<!\p{L})(?:wom[ae]n|m[ae]n|(?:wo)?mens|(?:fe)?males?|am|pm|days?|visits?|repeat|follow)(?!\p{L})|\d/iu
const isPanel = (text: string) =>
  knownKind(text.toLowerCase()) === undefined && hasUsualWords(text, /^$/) && !ofSomebody.test(text)

/** The same where the title of a panel stands above the names of each: "LIPIDS  Result  Unit  LIVER  Result  Unit". */
function seamOfPanels(line: Line): number | undefined {
  const [first, ...others] = line.cells
  const second = others.find(({ text }) => isPanel(text))
  if (!first || !second || !isPanel(first.text) || line.cells.length % 2 !== 0) return undefined
  const seam = second.x0 - SLACK
  const halves = [part(line, (x0) => x0 < seam), part(line, (x0) => x0 >= seam)].flat()
  const headings = halves.map(({ cells }) =>
    cells
      .slice(1)
      .map(({ text }) => text)
      .join('  '),
  )
  return halves.every(columnsIn) && headings[0] === headings[1] ? seam : undefined
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
