import { t } from '../../../language/t.ts'
import { isCountryCode, isUnknownState, zipProblem } from './addresses.ts'
import { type FieldName, fields } from './fields.ts'
import type { PanelName, Row } from './rows.ts'

export interface RowProblem {
  /** Absent if the problem is with the whole row. */
  field?: FieldName
  message: string
}

const MOST_KITS = 1000

/** The country of a row. The service, too, takes an empty one as the United States. */
export const countryOf = (row: Row): string => row.country.toUpperCase() || 'US'

const checks: Partial<Record<FieldName, (value: string, row: Row) => string | undefined>> = {
  email: (value) => (/^[^\s@]+@[^\s@]+\.[^\s@.]{2,}$/.test(value) ? undefined : t('not an e-mail address')),
  quantity: (value) =>
    /^\d+$/.test(value) && Number(value) >= 1 && Number(value) <= MOST_KITS
      ? undefined
      : t('a whole number from 1 to {most, number}', { most: MOST_KITS }),
  country: (value) => (isCountryCode(value) ? undefined : t('two letters, such as US')),
  state: (value, row) =>
    isUnknownState(value, countryOf(row)) ? t('two letters of a state there, such as VT or ON') : undefined,
  zip: (value, row) => zipProblem(value, countryOf(row)),
  phone: phoneProblem,
}

function phoneProblem(value: string): string | undefined {
  if (/^\d(\.\d+)?E\+?\d+$/i.test(value)) return t('the spreadsheet cut this number short; write it out again')
  const digits = value.replace(/\D/g, '').length
  const looksRight = /^\+?[\d\s().\-/]+(\s*(x|ext\.?)\s*\d+)?$/i.test(value)
  return looksRight && digits >= 7 && digits <= 18 ? undefined : t('a phone number has 7 to 15 digits')
}

/** What is wrong with a row as far as this page can tell. The service has the final say. */
export function problemsOf(row: Row, panels: readonly PanelName[]): RowProblem[] {
  const problems: RowProblem[] = row.fault ? [{ message: row.fault }] : []
  for (const { name, isNeeded } of fields) {
    const value = row[name]
    if (value.includes('\uFFFD'))
      problems.push({ field: name, message: t('a character was lost when the file was saved') })
    else if (value === '' && isNeeded) problems.push({ field: name, message: t('is missing') })
    else if (name === 'kit_type' && value !== '' && !panels.some(({ kitType }) => kitType === value))
      problems.push({
        field: name,
        message: t('not one of your panels; they are {panels}', {
          panels: panels.map((panel) => panel.name).join(', '),
        }),
      })
    else if (value !== '') {
      const message = checks[name]?.(value, row)
      if (message) problems.push({ field: name, message })
    }
  }
  return problems
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
