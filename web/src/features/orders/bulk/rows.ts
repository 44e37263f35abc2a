import { cellText } from '@kitlane/display/sheet-cell'
import type { Panel } from '../../../api/shapes.ts'
import type { Sheet } from './csv.ts'
import { type FieldName, fields, type Mapping, plainName } from './fields.ts'

/** The identifier and the name of a panel. */
export type PanelName = Pick<Panel, 'kitType' | 'name'>

export type Row = Record<FieldName, string> & {
  /** Where the row ends in the file. */
  line: number
  /** What is wrong with the whole row; removed as soon as a person edits it. */
  fault?: string
}

/** The rows of a file by field. A panel is given by its identifier or its name, or once for all rows. */
export function rowsOf(sheet: Sheet, mapping: Mapping, panels: readonly PanelName[], panelForAll: string): Row[] {
  const kitTypes = new Map(
    panels.flatMap(({ kitType, name }) => [kitType, name].map((key) => [plainName(key), kitType])),
  )
  return sheet.rows.map(({ cells, line, fault }) => {
    const cell = (field: FieldName) => {
      const column = mapping[field]
      return column === undefined ? '' : cellText(cells[column] ?? '')
    }
    const values = Object.fromEntries(fields.map(({ name }) => [name, cell(name)])) as Record<FieldName, string>
    const panel = values.kit_type || panelForAll
    return { ...values, kit_type: kitTypes.get(plainName(panel)) ?? panel, line, ...(fault && { fault }) }
  })
}

/** The rows as the API takes them: empty cells are left out, the quantity is a number. */
export function requestRows(rows: readonly Row[]) {
  return rows.map(({ quantity, line: _line, fault: _fault, ...row }) => {
    const filled = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''))
    const count = quantity === '' ? {} : { quantity: Number(quantity) }
    // An empty required cell is left out too: the service says that it is missing.
    return { ...filled, ...count } as typeof filled & Record<FieldName, string> & { quantity?: number }
  })
}
