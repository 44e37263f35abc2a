import { t } from '../../../language/t.ts'
export const fields = [
  {
    name: 'first_name',
    label: t('First name'),
    isNeeded: true,
    also: ['first', 'given name', 'firstname', 'vorname'],
  },
  { name: 'last_name', label: t('Last name'), isNeeded: true, also: ['last', 'surname', 'family name', 'lastname'] },
  { name: 'email', label: t('E-mail'), isNeeded: true, also: ['mail', 'email address', 'e mail'] },
  { name: 'kit_type', label: t('Panel'), isNeeded: true, also: ['kit', 'kittype', 'panel', 'sku', 'product', 'test'] },
  { name: 'quantity', label: t('Kits'), isNeeded: false, also: ['qty', 'count', 'number'] },
  {
    name: 'street1',
    label: t('Street'),
    isNeeded: true,
    also: ['address', 'address 1', 'address line 1', 'street'],
  },
  {
    name: 'street2',
    label: t('Flat or unit'),
    isNeeded: false,
    also: ['address 2', 'address line 2', 'apt', 'unit'],
  },
  { name: 'city', label: t('City'), isNeeded: true, also: ['town'] },
  { name: 'state', label: t('State'), isNeeded: true, also: ['province', 'region'] },
  { name: 'zip', label: t('ZIP'), isNeeded: true, also: ['zip code', 'postal code', 'postcode', 'postal'] },
  { name: 'country', label: t('Country'), isNeeded: false, also: ['country code'] },
  { name: 'phone', label: t('Phone'), isNeeded: false, also: ['telephone', 'mobile', 'phone number'] },
  {
    name: 'external_id',
    label: t('Your ID'),
    isNeeded: false,
    also: ['externalid', 'id', 'reference', 'member id'],
  },
] as const

export type FieldName = (typeof fields)[number]['name']

/** From a field to its column in the file; a field without a column is absent. */
export type Mapping = Partial<Record<FieldName, number>>

const REMEMBERED = 'kitlane.bulk-columns'

const plain = (text: string) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()

/** The mapping that was last used for these headers, else one by their names. */
export function guessMapping(header: readonly string[]): Mapping {
  const remembered = remembers()[keyOf(header)]
  if (remembered) return remembered
  const names = header.map(plain)
  const taken = new Set<number>()
  const mapping: Mapping = {}
  for (const { name, label, also } of fields) {
    const wanted = [plain(name), plain(label), ...also]
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
