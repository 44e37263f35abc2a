import type { ParsedReport } from '../parse/parsed.ts'

const urgentFlags = ['LL', 'HH', 'AA', 'A']

/** Whether a person looks at a message before others: a result in it is flagged critical or abnormal. */
export const isUrgent = ({ observations }: Pick<ParsedReport, 'observations'>): boolean =>
  observations.some(({ flag = '' }) => urgentFlags.includes(flag))

/** The words of a name, in lower case: laboratories write "Doe^Jamie". */
const wordsOf = (name: string): string[] => name.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

/** Whether a name holds all words of another one, in any order. */
export function holdsName(name: string | undefined, person: string): boolean {
  const held = new Set(wordsOf(name ?? ''))
  return person !== '' && wordsOf(person).every((word) => held.has(word))
}
