import { locale, t } from '../../language/t.ts'
import { detailWords, valueWords } from './detail-words.ts'

// A list beyond this is in the JSON.
const LISTED = 5
const when = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' })
const TIME = /^\d{4}-\d\d-\d\dT/

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function shown(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString(locale())
  if (typeof value === 'string') return TIME.test(value) ? when.format(new Date(value)) : (valueWords[value] ?? value)
  if (Array.isArray(value)) {
    const rest = value.length > LISTED ? ['…'] : []
    return value.length > 0 ? [...value.slice(0, LISTED).map(shown), ...rest].join(', ') : '–'
  }
  if (isObject(value)) return detailsInWords(value).join(', ') || '–'
  return String(value ?? '–')
}

/** `version 1`, `by passkey`: each detail that no sentence has. A name without words stands as it is. */
export function detailsInWords(details: object, isSaid: (name: string) => boolean = () => false): string[] {
  return Object.entries(details).flatMap(([name, value]) => {
    // How many they were says more; the JSON has them.
    if (isSaid(name) || (name === 'ids' && 'count' in details)) return []
    const label = detailWords[name] ?? name
    if (typeof value === 'boolean') return value ? label : t('{what}: no', { what: label })
    if (isObject(value)) return `${label}: ${shown(value)}`
    // An ID is no number, although a customer's has only digits.
    return `${label} ${/I[dD]$/.test(name) ? String(value) : shown(value)}`
  })
}
