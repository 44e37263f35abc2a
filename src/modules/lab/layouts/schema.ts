import { Layout } from '@kitlane/lab-reader/parse/layout'
import { Format, Patient } from '@kitlane/lab-reader/parse/parsed'
import { z } from 'zod'
import { timestamp } from '../../../platform/http/fields.ts'
import { LineCounts } from '../schema.ts'

export const LayoutVersion = z
  .object({
    name: z.string(),
    version: z.int(),
    isOn: z.boolean(),
    counts: z.boolean().describe('It is the newest version of its name that is on.'),
    createdDate: timestamp,
    template: Layout,
  })
  .meta({ id: 'LayoutVersion' })
export type LayoutVersion = z.infer<typeof LayoutVersion>

const TriedResult = z.object({
  name: z.string(),
  value: z.string().describe('As it is printed.'),
  number: z.number().optional().describe('As it would be read; absent: it waits, or is no number.'),
  unit: z.string().optional(),
  range: z.string().optional(),
  flag: z.string().optional(),
  position: z.string(),
  collectedDate: z.string().optional(),
  biomarkerID: z.string().optional().describe('What it would be; absent: it would wait.'),
  waitsFor: z.string().optional().describe('Why it would not be in the report.'),
})

/** What a draft would read of a file, of which nothing is kept. */
export const TriedLayout = z
  .object({
    recognised: z.boolean().describe('The texts of the template stand in the file.'),
    format: Format.optional(),
    refused: z.string().optional().describe('Why nothing was read, in words.'),
    personRead: z
      .array(Patient.pick({ name: true, dateOfBirth: true, sex: true, id: true }).keyof())
      .describe('What is read of the person: an upload is compared with the customer by it.'),
    lines: LineCounts,
    results: z.array(TriedResult),
    notes: z.array(z.string()),
  })
  .meta({ id: 'TriedLayout' })
export type TriedLayout = z.infer<typeof TriedLayout>
