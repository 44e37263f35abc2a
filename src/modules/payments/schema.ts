import { text } from '../../platform/http/fields.ts'

const ID = /^pm_./

/** What pays: one of these words, or the ID of a saved payment method. */
const sourceOf = (words: readonly string[], sentence: string) =>
  text(255)
    .refine((value) => words.includes(value) || ID.test(value), `Send ${sentence}`)
    .describe(sentence)

/** What pays for an order that exists. */
export const payingSource = sourceOf(
  ['credits', 'card'],
  '`credits`, `card` or the ID of a saved payment method (`pm_…`)',
)

/** What pays for a new order. */
export const orderSource = sourceOf(
  ['credits', 'card', 'later'],
  '`credits`, `card`, `later` or the ID of a saved payment method (`pm_…`)',
)
