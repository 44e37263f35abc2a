import { recipientCorrections } from '../recipient-problems.ts'
import type { FieldName } from './fields.ts'
import type { Row } from './rows.ts'

/** A value that must be written differently on labels, its correction, and the number of rows with it. */
export interface Suggestion {
  field: FieldName
  from: string
  to: string
  rows: number
}

/** Each correction once, with the number of rows that it changes; a person decides whether to apply it. */
export function suggestionsFor(rows: readonly Row[]): Suggestion[] {
  const found = new Map<string, Suggestion>()
  for (const row of rows) {
    for (const { field, to } of recipientCorrections(row)) {
      const key = [field, row[field], to].join('\n')
      const known = found.get(key)
      if (known) known.rows++
      else found.set(key, { field, from: row[field], to, rows: 1 })
    }
  }
  return [...found.values()].sort((a, b) => b.rows - a.rows)
}

/** The rows with these corrections applied. */
export function withSuggestions(rows: readonly Row[], chosen: readonly Suggestion[]): Row[] {
  const wanted = new Set(chosen.map(({ field, from, to }) => [field, from, to].join('\n')))
  return rows.map((row) => {
    const changes = recipientCorrections(row).filter(({ field, to }) => wanted.has([field, row[field], to].join('\n')))
    return changes.length === 0 ? row : { ...row, ...Object.fromEntries(changes.map(({ field, to }) => [field, to])) }
  })
}
