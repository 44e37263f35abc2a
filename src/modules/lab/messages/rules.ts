import { hasWordsOf, wordsOf } from '@kitlane/lab-reader/parse/names'
import type { ParsedReport } from '@kitlane/lab-reader/parse/parsed'

const urgentFlags = ['LL', 'HH', 'AA', 'A']

/** Whether a person looks at a message before others: a result in it is flagged critical or abnormal. */
export const isUrgent = ({ observations }: Pick<ParsedReport, 'observations'>): boolean =>
  observations.some(({ flag = '' }) => urgentFlags.includes(flag))

/** Whether a name holds all words of another one, in any order and spelling. */
export const holdsName = (name: string | undefined, person: string): boolean =>
  person !== '' && hasWordsOf(wordsOf(name), wordsOf(person))
