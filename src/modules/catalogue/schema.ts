import { Biomarker as Facts, Sex } from '@kitlane/lab-reader/facts/schema'
import { z } from 'zod'
import { PanelQuestion } from './question-schema.ts'
import { CurrentBiomarkerText } from './text-schema.ts'

/** A biomarker as answers have it: with what a director signed and a person reads. */
export const Biomarker = Facts.extend({
  rangesSigned: z
    .boolean()
    .optional()
    .describe('In answers: whether a laboratory director signed the ranges of this version.'),
  text: CurrentBiomarkerText.optional().describe('In answers: what a person reads about it. Absent: nothing.'),
}).meta({ id: 'Biomarker' })
export type Biomarker = z.infer<typeof Biomarker>

export const people = {
  sex: z.enum(['M', 'F']).optional().describe('Only people of this sex are registered; absent: everyone.'),
  minAge: z.int().describe('The youngest who may be registered. A parent or guardian registers a person under 18.'),
  maxAge: z.int().optional().describe('The oldest; absent: no limit.'),
}

export const promised = {
  promisedDays: z
    .int()
    .optional()
    .describe(
      'The report is promised by the end of this day (UTC) after the sample came to the laboratory; absent: nothing is promised.',
    ),
}

export const sampleRules = {
  stabilityDays: z
    .int()
    .optional()
    .describe('For how many days a sample can be tested after it was taken; absent: 7 are assumed for one on hold.'),
  questions: z.array(PanelQuestion).optional().describe('What a person is asked of their sample; absent: nothing.'),
  collectionDateNeeded: z
    .boolean()
    .describe('A sample without the day on which it was taken is put on hold when it is received.'),
}

export const orderLimits = {
  offeredIn: z
    .array(z.string())
    .optional()
    .describe('Where kits may be sent, as ISO 3166: `US`, `US-NY`; absent: everywhere.'),
  notOfferedIn: z.array(z.string()).optional().describe('Where kits may not be sent; takes precedence.'),
  maxPerOrder: z.int().optional().describe('Kits in one order; absent: no limit.'),
  providerNeeded: z.literal(true).optional().describe('A provider approves each order first.'),
}

const Panel = z.object({ name: z.string(), sex: Sex.optional(), biomarkers: z.array(z.string()).min(1) })
export type Panel = z.infer<typeof Panel>

export const Panels = z.record(z.string(), Panel).describe('The starter panels by kitType.')
export type Panels = z.infer<typeof Panels>
