import { z } from 'zod'
import { text, timestamp } from '../../platform/http/fields.ts'

/** What a clinician writes to the person when a report is published. */
export const NewNote = z
  .object({
    text: text(4000).describe('In plain words; a blank line begins a new paragraph.'),
    author: text(200).describe('Who writes, with the role, as the person reads it: `Dr. Amara Osei, physician`.'),
  })
  .meta({ id: 'NewReportNote' })
export type NewNote = z.infer<typeof NewNote>

export const ReportNote = NewNote.extend({
  date: timestamp.describe('When it was written.'),
  version: z.int().describe('The version of the report that it is about.'),
}).meta({ id: 'ReportNote' })
export type ReportNote = z.infer<typeof ReportNote>
