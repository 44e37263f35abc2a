import { locale, t } from '../../language/t.ts'
import { detailWords, valueWords } from './detail-words.ts'

// A list beyond this is in the JSON.
const LISTED = 5
const when = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' })

function shown(value: unknown): string {
  if (typeof value === 'number') return value.toLocaleString(locale())
  if (typeof value === 'string')
    return /^\d{4}-\d\d-\d\dT/.test(value) ? when.format(new Date(value)) : (valueWords[value] ?? value)
  if (Array.isArray(value))
    return [...value.slice(0, LISTED).map(shown), ...(value[LISTED] ? ['…'] : [])].join(', ') || '–'
  return value ? detailsInWords(value).join(', ') : '–'
}

/** `version 1`, `by passkey`: the details that no sentence has. A name without words stands as it is. */
export const detailsInWords = (details: object, said: readonly string[] = []): string[] =>
  Object.entries(details).flatMap(([name, value]) => {
    // How many they were says more; the JSON has them.
    if (said.includes(name) || (name === 'ids' && 'count' in details)) return []
    const label = detailWords[name] ?? name
    if (typeof value === 'boolean') return value ? label : t('{what}: no', { what: label })
    if (value?.constructor === Object) return `${label}: ${shown(value)}`
    // A customer's ID has only digits, and is no number.
    return `${label} ${/I[dD]$/.test(name) ? String(value) : shown(value)}`
  })
