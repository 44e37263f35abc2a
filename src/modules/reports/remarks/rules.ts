import { plainLetters } from '@kitlane/lab-reader/facts/letters'
import type { ParsedReport } from '@kitlane/lab-reader/parse/parsed'

/** What a laboratory wrote beside a biomarker. */
export interface Remark {
  laboratory: string
  biomarker: string
  sentence: string
}

/** Two remarks are the same if nothing but the spaces between their words differs: any letter or mark may change what they mean. */
export const keyOf = ({ laboratory, biomarker, sentence }: Remark): string =>
  JSON.stringify([laboratory, biomarker, sentence.normalize('NFC').replace(/\s+/g, ' ').trim()])

/**
 * Who writes the remarks of a report: its sender, and where the value was measured, else every laboratory of the report. `from`:
 * by what the sender is known where the document names nobody, or only a program (MSH-3 without MSH-4), which many laboratories have.
 * Undefined: nobody is named, and nothing is remembered.
 */
export function laboratoryOf(
  { message, origin }: ParsedReport,
  { own, from }: { own: string | undefined; from: string | undefined },
): string | undefined {
  const all = own === undefined ? (origin?.laboratories ?? []).map(({ name }) => name).sort() : [own]
  const named = all.filter((name) => name !== '')
  const sender = message?.sender ?? ''
  const parts = [...new Set([sender, ...named].filter((part) => part !== ''))]
  if (named.length > 0 || (sender !== '' && !sender.endsWith('|'))) return parts.join(' / ')
  return from && [...parts, from].join(' / ')
}

const SHORTEST_NAME = 3

/** Whether a sentence has one of the names of the person of the report. */
export function namesPerson(sentence: string, { patient }: ParsedReport): boolean {
  const words = (text: string) => plainLetters(text).match(/\p{L}+/gu) ?? []
  const names = [patient?.name ?? '', ...(patient?.otherNames ?? [])].flatMap(words)
  const own = new Set(names.filter(({ length }) => length >= SHORTEST_NAME))
  return words(sentence).some((word) => own.has(word))
}
