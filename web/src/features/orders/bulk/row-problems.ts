import { cellFault } from '@kitlane/display/sheet-cell'
import { t } from '../../../language/t.ts'
import { lostCharacters, type RecipientField, recipientProblems } from '../recipient-problems.ts'
import { type FieldName, fields } from './fields.ts'
import type { PanelName, Row } from './rows.ts'

export interface RowProblem {
  /** Absent if the problem is with the whole row. */
  field?: FieldName
  message: string
}

const MOST_KITS = 1000

/** What is wrong with a row as far as this page can tell. The service has the final say. */
export function problemsOf(row: Row, panels: readonly PanelName[]): RowProblem[] {
  const recipient = recipientProblems(row)
  const found = fields.flatMap(({ name }): RowProblem[] => {
    const message =
      ofCell(row[name]) ??
      (name in ofRow ? ofRow[name as keyof typeof ofRow](row[name], panels) : recipient.get(name as RecipientField))
    return message === undefined ? [] : [{ field: name, message }]
  })
  return [...(row.fault ? [{ message: row.fault }] : []), ...found]
}

/** What a spreadsheet shows in place of a value. */
function ofCell(value: string): string | undefined {
  const fault = cellFault(value)
  if (fault === 'cut') return t('the spreadsheet cut this number short; write it out again')
  return fault && t('the spreadsheet has an error or a formula here; write the value itself')
}

/** What an order form does not let be typed. */
const ofRow = {
  kit_type: (value: string, panels: readonly PanelName[]) => {
    if (value === '') return t('is missing')
    if (panels.some(({ kitType }) => kitType === value)) return undefined
    return (
      lostCharacters(value) ??
      t('not one of your panels; they are {panels}', { panels: panels.map((panel) => panel.name).join(', ') })
    )
  },
  quantity: (value: string) =>
    value === '' || (/^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= MOST_KITS)
      ? undefined
      : t('a whole number from 1 to {most, number}', { most: MOST_KITS }),
  external_id: lostCharacters,
}

/** Rows that repeat an earlier one: from their index to that of the first. */
export function duplicatesOf(rows: readonly Row[]): Map<number, number> {
  const seen = new Map<string, number>()
  const found = new Map<number, number>()
  for (const [at, row] of rows.entries()) {
    const person = [row.email || row.external_id, row.first_name, row.last_name, row.kit_type]
    const key = person.map((part) => part.toLowerCase()).join('\n')
    const first = seen.get(key)
    if (first === undefined) seen.set(key, at)
    else found.set(at, first)
  }
  return found
}
