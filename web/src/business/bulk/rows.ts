import type { Panel } from '../../api/shapes.ts'
import type { Sheet } from './csv.ts'
import type { FieldName, Mapping } from './fields.ts'

export type Row = Record<FieldName, string>

/** The rows of a file by field; the panel may be named by identifier or by name, and one panel may stand for all. */
export function rowsOf(sheet: Sheet, mapping: Mapping, panels: readonly Panel[], panelForAll: string): Row[] {
  const kitTypes = new Map(
    panels.flatMap(({ kitType, name }) => [kitType, name].map((key) => [key.toLowerCase(), kitType])),
  )
  return sheet.rows.map((cells) => {
    const cell = (field: FieldName) => {
      const column = mapping[field]
      return column === undefined ? '' : (cells[column] ?? '').trim()
    }
    const panel = cell('kit_type') || panelForAll
    return {
      first_name: cell('first_name'),
      last_name: cell('last_name'),
      email: cell('email'),
      street1: cell('street1'),
      street2: cell('street2'),
      city: cell('city'),
      state: cell('state'),
      zip: cell('zip'),
      country: cell('country'),
      phone: cell('phone'),
      kit_type: kitTypes.get(panel.toLowerCase()) ?? panel,
      quantity: cell('quantity'),
      external_id: cell('external_id'),
    }
  })
}

/** What the API is sent: nothing for an empty cell, a number for the quantity. */
export function requestRows(rows: readonly Row[]) {
  return rows.map(({ quantity, ...row }) => {
    const filled = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== ''))
    const count = quantity === '' ? {} : { quantity: Number(quantity) }
    // An empty required cell is left out too: the service says in words that it is missing.
    return { ...filled, ...count } as typeof filled & Omit<Row, 'quantity'> & { quantity?: number }
  })
}
