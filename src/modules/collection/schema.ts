import { latinDigits } from '@kitlane/display/text'
import { z } from 'zod'
import { timestamp } from '../../platform/http/fields.ts'
import { PanelQuestion } from '../catalogue/question-schema.ts'
import { Answers, localMinute } from './questions.ts'
import { isZone } from './time.ts'

export const givers = ['person', 'business', 'operator'] as const
export type Giver = (typeof givers)[number]

const WANTED = 'Send `YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM` as the clock showed it'

export const CollectionInput = z
  .object({
    collectedDate: z
      .string()
      .overwrite(latinDigits)
      .pipe(z.union([z.iso.date(), localMinute], WANTED))
      .describe('`YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM` as the clock showed it.'),
    zone: z
      .string()
      .max(60)
      .refine(isZone, 'Send a zone, such as Europe/Madrid, or an offset, such as +01:00')
      .describe('`Europe/Madrid`, or `+01:00`.'),
    answers: Answers.default({}).describe('To `questions`, by ID.'),
  })
  .meta({ id: 'CollectionInput' })
export type CollectionInput = z.output<typeof CollectionInput>

/** What a person says of the sample of a kit. */
export const KitCollection = z
  .object({
    kitID: z.string(),
    collectedDate: z.string().optional().describe('As it was given.'),
    zone: z.string().optional().describe('As it was given.'),
    collectedTime: z.string().optional().describe('With its offset, where a time was given.'),
    givenBy: z.enum(givers).optional().describe('Who said it last.'),
    changedDate: timestamp.optional(),
    answers: Answers.optional().describe('Needs `reports:read`.'),
    questions: z.array(PanelQuestion).describe('What the person is asked.'),
  })
  .meta({ id: 'KitCollection' })
export type KitCollection = z.input<typeof KitCollection>
