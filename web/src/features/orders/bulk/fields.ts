import { t } from '../../../language/t.ts'
import columnNames from './column-names.json' with { type: 'json' }

export const fields = [
  {
    name: 'first_name',
    label: t('First name'),
    isNeeded: true,
  },
  { name: 'last_name', label: t('Last name'), isNeeded: true },
  { name: 'email', label: t('E-mail'), isNeeded: true },
  { name: 'kit_type', label: t('Panel'), isNeeded: true },
  { name: 'quantity', label: t('Kits'), isNeeded: false },
  {
    name: 'street1',
    label: t('Street'),
    isNeeded: true,
  },
  {
    name: 'street2',
    label: t('Flat or unit'),
    isNeeded: false,
  },
  { name: 'city', label: t('City'), isNeeded: true },
  { name: 'state', label: t('State'), isNeeded: false },
  { name: 'zip', label: t('ZIP'), isNeeded: false },
  { name: 'country', label: t('Country'), isNeeded: false },
  { name: 'phone', label: t('Phone'), isNeeded: false },
  {
    name: 'external_id',
    label: t('Your ID'),
    isNeeded: false,
  },
] as const

export type FieldName = (typeof fields)[number]['name']

/** From a field to its column in the file; a field without a column is absent. */
export type Mapping = Partial<Record<FieldName, number>>

const REMEMBERED = 'kitlane.bulk-columns'

/** Comparable form of a name: no accents, case or punctuation, `&` as and. */
export const plainName = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replaceAll('&', ' and ')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

// "Email (required)" is the e-mail.
const plain = (text: string) => plainName(text.replace(/[([].*$/, '') || text)

const namesOf = ({ name, label }: (typeof fields)[number]) => [plain(name), plain(label), ...columnNames[name]]

/** Whether these are the names of columns, and not a title or a row. */
export const isHeader = (cells: readonly string[]): boolean => {
  const names = cells.map(plain)
  return fields.filter((field) => namesOf(field).some((name) => names.includes(name))).length > 2
}

/** The mapping that was last used for these headers, else one by their names. */
export function guessMapping(header: readonly string[]): Mapping {
  const remembered = remembers()[keyOf(header)]
  if (remembered) return remembered
  const names = header.map(plain)
  const taken = new Set<number>()
  const mapping: Mapping = {}
  for (const field of fields) {
    const { name } = field
    const wanted = namesOf(field)
    const column = names.findIndex((text, index) => !taken.has(index) && wanted.includes(text))
    if (column < 0) continue
    taken.add(column)
    mapping[name] = column
  }
  return mapping
}

export function rememberMapping(header: readonly string[], mapping: Mapping): void {
  localStorage.setItem(REMEMBERED, JSON.stringify({ ...remembers(), [keyOf(header)]: mapping }))
}

const keyOf = (header: readonly string[]) => header.map(plain).join('|')

function remembers(): Record<string, Mapping> {
  try {
    return JSON.parse(localStorage.getItem(REMEMBERED) ?? '{}')
  } catch {
    return {}
  }
}
