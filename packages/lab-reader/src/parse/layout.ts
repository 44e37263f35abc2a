import { z } from 'zod'
import { Refusal } from './refusal.ts'
import { plain } from './text.ts'

const MAX_PHRASE = 100
const phrase = (what: string, atLeast = 1) =>
  z
    .string()
    .trim()
    .min(atLeast, `${what} needs at least ${atLeast} ${atLeast === 1 ? 'character' : 'characters'}`)
    .max(MAX_PHRASE, `${what} may have at most ${MAX_PHRASE} characters`)

export const layoutName = z
  .string()
  .trim()
  .regex(/^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,79}$/u, 'A name has up to 80 letters, digits, spaces, points, - and _')
  .describe('Up to 80 letters, digits, spaces, points, - and _. The first is a letter or digit.')

export const TaughtKind = z.enum(['name', 'value', 'unit', 'range', 'flag', 'status', 'previous', 'ignored'])
export type TaughtKind = z.infer<typeof TaughtKind>

const Labels = z.strictObject({
  collected: phrase('A label').optional().describe('The day of collection.'),
  patient: phrase('A label').optional().describe("The person's name."),
  born: phrase('A label').optional().describe("The person's date of birth."),
})

/** Letters and digits that the texts by which a layout is known must have together. */
const LEAST_KNOWN_BY = 6

/**
 * What an operator says of the layout of a laboratory's documents: data, never code. All texts are plain, compared
 * without case, as whole words; there are no patterns.
 */
export const Layout = z
  .strictObject({
    name: layoutName,
    format: z.enum(['pdf', 'csv']),
    recognisedBy: z
      .array(phrase('A text of recognisedBy', 3))
      .min(1, 'Say at least one text by which the document is recognised')
      .max(10)
      .describe('Texts that all stand in such a document and in no other. Of a CSV, in its first 64 KiB.'),
    columns: z
      .array(z.strictObject({ heading: phrase('A heading'), is: TaughtKind }))
      .max(40)
      .default([])
      .describe('Headings as they are printed, and what is below them. Others mean what they mean without a template.'),
    ignoredLines: z.array(phrase('A line', 3)).max(40).default([]).describe('PDF: how lines begin that say nothing.'),
    endTitles: z.array(phrase('A title', 3)).max(40).default([]).describe('PDF: how lines begin that end a table.'),
    dayOrder: z.enum(['day-first', 'month-first']).optional().describe('Of days in digits.'),
    decimalSign: z.enum(['.', ',']).optional(),
    labels: Labels.default({}).describe('PDF: the labels before or above; CSV: the headings of these columns.'),
  })
  .superRefine(({ format, recognisedBy, columns, ignoredLines, endTitles }, context) => {
    const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
    const known = recognisedBy.join('').replace(/[^\p{L}\p{N}]/gu, '')
    if (known.length < LEAST_KNOWN_BY)
      say('recognisedBy', `Together these texts need at least ${LEAST_KNOWN_BY} letters or digits`)
    const headings = columns.map(({ heading }) => folded(heading))
    if (new Set(headings).size < headings.length) say('columns', 'Each heading may stand here once')
    if (format === 'csv' && ignoredLines.length > 0) say('ignoredLines', 'Only a PDF has lines to ignore')
    if (format === 'csv' && endTitles.length > 0) say('endTitles', 'Only a PDF has several tables')
  })
  .meta({ id: 'LayoutTemplate' })
export type Layout = z.infer<typeof Layout>

/** How texts are compared: without case, compatibility forms and double spaces. */
export const folded = (text: string): string => plain(text).toLowerCase().replace(/\s+/g, ' ').trim()

const isWord = (text: string | undefined) => text !== undefined && /[\p{L}\p{N}]/u.test(text)

/** Where a folded phrase stands in a text as whole words; -1: nowhere. */
export function indexOfPhrase(text: string, words: string, from = 0): number {
  for (let at = text.indexOf(words, from); at >= 0; at = text.indexOf(words, at + 1)) {
    const cutsBefore = isWord(words[0]) && isWord(text[at - 1])
    const cutsBehind = isWord(words.at(-1)) && isWord(text[at + words.length])
    if (!cutsBefore && !cutsBehind) return at
  }
  return -1
}

export const startsWithPhrase = (text: string, phrases: readonly string[]): boolean =>
  phrases.some((words) => indexOfPhrase(folded(text), folded(words)) === 0)

export interface Chosen {
  layout?: Layout
  notes: string[]
}

/** The one layout whose texts all stand in a document. Of several none counts: which one is right is not certain. */
export function chooseLayout(layouts: readonly Layout[], format: Layout['format'], text: string): Chosen {
  const candidates = layouts.filter((layout) => layout.format === format)
  if (candidates.length === 0) return { notes: [] }
  const document = folded(text)
  const fitting = candidates.filter(({ recognisedBy }) =>
    recognisedBy.every((words) => indexOfPhrase(document, folded(words)) >= 0),
  )
  const [layout, ...others] = fitting
  if (!layout) return { notes: [] }
  const names = fitting.map(({ name }) => `"${name}"`).join(', ')
  if (others.length > 0) return { notes: [`More than one layout template fits, so none was used: ${names}`] }
  return { layout, notes: [`Read with the layout template ${names}`] }
}

/** Notes in a refusal which layout was recognised. @throws what `read` throws */
export async function withLayout<T>({ layout }: Chosen, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof Refusal && layout) error.layout = layout.name
    throw error
  }
}
