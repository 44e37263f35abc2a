import { normaliseUnit } from '../../facts/convert.ts'
import { withDoubt } from '../beside.ts'
import type { Column } from '../headings.ts'
import { insteadNamedIn } from '../instead.ts'
import { isPrintedNumber } from '../number.ts'
import { isControl } from './control.ts'
import { keyOf, type Line, type OfTable } from './line.ts'
import { readResult } from './result.ts'
import type { Row } from './row.ts'
import { ordersOf, readRowHead } from './row-head.ts'

/** One test per row, with a column for each day, or for each unit, specimen or person. */
export function readByColumn(columns: readonly Column[], rows: readonly Row[], { commas, order }: OfTable): Line[] {
  const orders = ordersOf(rows, order)
  return columns.flatMap((column, index) => {
    const { kind, day, unit, specimen, person, heading } = column
    // Whose or when a number beside those of days is, is not said.
    const isOpen = kind === 'marker' && !ofChange.test(heading) && insteadNamedIn(heading) === undefined
    const isOfAnother = column.isOfAnother ?? (isOpen && isControl(heading))
    const isRead = kind === 'value-column' || (kind === 'date-column' && day !== undefined)
    if (!isRead && !isOpen) return []
    return rows.flatMap((row) => {
      const [name, text] = [row.cell('name') ?? '', row.at(index)]
      if (text === '' || (isOpen && !isOfAnother && (name === '' || !isPrintedNumber(text)))) return []
      const printed = { name, text, unit: unit ?? row.cell('unit'), rangeText: rangeBeside(columns, column, row) }
      const own = readRowHead(row, orders)
      const head = {
        ...{ ...own, ...(day && { collectedDate: day }) },
        ...(person && { patient: { ...own.patient, name: person } }),
      }
      const read = readResult(row, printed, commas)
      const position = kind === 'date-column' ? read.position : `row ${row.number}, column ${index + 1}`
      const placed = { ...read, position, ...(specimen && { specimen }) }
      const doubt = isOfAnother ? 'notOwn' : isOpen ? 'severalValues' : undefined
      const observation = doubt ? withDoubt(placed, doubt, heading) : placed
      return [{ row, head, observation, key: `${day ?? ''} ${doubt ? heading : ''} ${keyOf(row)}` }]
    })
  })
}

/** How much a value changed since the one before. */
const ofChange =
  /change|delta|diff|trend|[aä]nderung|évolution|variation|variación|cambio|variazione|verschil|endring|ændring/i

/** The range of a column that has a unit has that unit, too; in a row of several specimens or people nobody says whose it is. */
function rangeBeside(columns: readonly Column[], { kind, unit }: Column, row: Row): string | undefined {
  if (kind === 'date-column') return row.cell('range') || undefined
  const ranges = columns.flatMap((one, index) => (one.kind === 'range' ? [{ ...one, index }] : []))
  const own = ranges.find((one) => unit && one.unit && normaliseUnit(one.unit) === normaliseUnit(unit))
  const isOnly = unit !== undefined && columns.filter((one) => one.kind === 'value-column').length === 1
  return (own ? row.at(own.index) : isOnly ? row.cell('range') : undefined) || undefined
}
