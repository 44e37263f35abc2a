import { z } from 'zod'
import { line } from '../../platform/http/fields.ts'

/** Questions whose answers rules and judging know. */
export const knownQuestions = ['fasting', 'cyclePhase', 'cycleDay', 'pregnant', 'medication', 'timeOfLastDose'] as const
export type KnownQuestion = (typeof knownQuestions)[number]

export const isKnown = (id: string): id is KnownQuestion => (knownQuestions as readonly string[]).includes(id)

const words = z
  .record(z.string().regex(/^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'A language, such as en or pt-BR'), line(300))
  .refine(
    (text) => Object.hasOwn(text, 'en'),
    'Say it in English (`en`), too: it is shown where no other language fits',
  )

const questionId = z.string().regex(/^[a-z][A-Za-z0-9]{0,39}$/, 'A small letter, then letters and digits, at most 40')

const shape = {
  id: questionId.describe(`${knownQuestions.map((id) => `\`${id}\``).join(', ')}, or one of the operator's own.`),
  isRequired: z.boolean().default(false).describe('Nothing is taken without an answer.'),
  type: z.enum(['choice', 'number', 'date', 'text']).optional().describe('Of an own question.'),
  text: words.optional().describe('By language.'),
  choices: z
    .array(z.object({ id: questionId, text: words }))
    .max(20)
    .optional()
    .describe('Of a `choice`.'),
  min: z.number().optional().describe('Of a `number`.'),
  max: z.number().optional().describe('Of a `number`.'),
}

/** What a person is asked of their sample. */
export const PanelQuestion = z.object(shape).meta({ id: 'PanelQuestion' })
export type PanelQuestion = z.output<typeof PanelQuestion>

function problemOf({ id, type, text, choices, min, max }: PanelQuestion): string | undefined {
  if (isKnown(id)) {
    const isBare = [type, text, choices, min, max].every((part) => part === undefined)
    return isBare
      ? undefined
      : 'This question is known, with its words and answers: send its `id` alone, or another `id`'
  }
  if (!type || !text) return 'An own question needs `type` and `text`'
  if (type !== 'number' && (min ?? max) !== undefined) return 'Only a question of the type `number` has `min` and `max`'
  if (min !== undefined && max !== undefined && min > max) return '`min` is greater than `max`'
  if (type !== 'choice') return choices ? 'Only a question of the type `choice` has `choices`' : undefined
  if (!choices || choices.length < 2) return 'A choice needs two `choices` or more'
  return hasTwice(choices) ? 'Two choices have the same `id`' : undefined
}

const hasTwice = (all: readonly { id: string }[]): boolean => new Set(all.map(({ id }) => id)).size < all.length

/** The questions of a panel as an operator gives them. */
export const PanelQuestions = z
  .array(PanelQuestion)
  .max(30)
  .superRefine((questions, context) => {
    for (const [index, question] of questions.entries()) {
      const message = problemOf(question)
      if (message) context.addIssue({ code: 'custom', message, path: [index] })
    }
    if (hasTwice(questions)) context.addIssue({ code: 'custom', message: 'Two questions have the same `id`' })
  })
