import { Sex } from '@kitlane/lab-reader/facts/schema'
import { z } from 'zod'
import { text, timestamp } from '../../../platform/http/fields.ts'
import { relations } from '../../customers/schema.ts'
import { NewNote } from '../note-schema.ts'

export const NewHold = z
  .object({
    reason: text(500).describe('Why it is not published yet. Neither the person nor the business sees it.'),
    untilDate: timestamp.describe('When the hold ends by itself, at most 90 days from now.'),
  })
  .meta({ id: 'NewReportHold' })
export type NewHold = z.infer<typeof NewHold>

export const Hold = NewHold.extend({
  by: z.string().describe('Who holds it: an e-mail address of staff, or the name of a token.'),
  isMine: z.boolean().describe('Whether the caller holds it.'),
  heldDate: timestamp,
}).meta({ id: 'ReportHold' })
export type Hold = z.infer<typeof Hold>

export const NewComment = z
  .object({ text: text(4000).describe('For other reviewers. Neither the person nor the business sees it.') })
  .meta({ id: 'NewReportComment' })

export const Comment = z
  .object({
    id: z.string(),
    text: z.string(),
    by: z.string().describe('Who wrote it: an e-mail address of staff, or the name of a token.'),
    date: timestamp.describe('When it was written.'),
  })
  .meta({ id: 'ReportComment' })
export type Comment = z.infer<typeof Comment>

const Relation = z.enum(relations).describe('What they are to the person tested.')
const name = z.string().optional().describe('Needs `lab`.')

export const PersonOfReport = z
  .object({
    customerID: z.int(),
    name,
    sex: Sex.optional().describe('Absent where it is not known.'),
    age: z.int().optional().describe('In whole years, on the day of the sample.'),
    guardian: z.object({ relation: Relation, name }).optional().describe('Who decides for a minor.'),
    consent: z
      .object({
        state: z
          .enum(['agreed', 'withdrawn', 'notRecorded'])
          .describe('To the test. withdrawn: it was taken back. notRecorded: agreed to elsewhere, or there is no kit.'),
        date: timestamp.optional().describe('When that was said.'),
        research: z.boolean().optional().describe('Whether the results may be used for research.'),
        relation: Relation.optional().describe('Of who agreed, where it was somebody else.'),
      })
      .describe('What was agreed to for this kit.'),
    reports: z
      .array(
        z.object({
          reportID: z.string(),
          status: z.enum(['inReview', 'published', 'rejected']),
          date: timestamp.optional().describe('When the sample was collected, else resulted.'),
          panel: z.string().optional().describe('The kit type; absent without a kit.'),
          laboratory: z.string().optional().describe('Where it was measured; absent where that is not known.'),
          note: NewNote.optional().describe('What a clinician wrote to the person.'),
        }),
      )
      .describe('Their other reports, newest first, at most 20.'),
    messages: z
      .array(
        z.object({
          kind: z.string(),
          subject: z.string(),
          status: z.enum(['queued', 'sent', 'kept', 'failed']),
          kitID: z.string().optional(),
          date: timestamp.describe('When it was written.'),
        }),
      )
      .describe('E-mails to them, or to who decides for them, newest first, at most 20.'),
    kit: z
      .object({
        kitID: z.string(),
        panel: z.string().describe('The kit type.'),
        collectedDate: z.string().optional(),
        receivedDate: timestamp.optional().describe('When the laboratory had it.'),
        daysInTransit: z
          .number()
          .optional()
          .describe('From collection, else from when it was sent, to the laboratory.'),
        replacedBy: z.string().optional().describe('The kit that was sent in its place.'),
        isRejectable: z.boolean().describe('Whether its sample can be rejected.'),
      })
      .optional(),
    laboratories: z.array(z.string()).describe('Where it was tested; empty: not stated.'),
    specimens: z
      .array(
        z
          .object({ source: z.string(), condition: z.string().describe('Its state, and what was done with it.') })
          .partial(),
      )
      .describe('As the laboratory found them.'),
    notes: z.array(z.string()).describe("The laboratory's, on the whole report."),
    labErrors: z.array(z.string()).describe('What was wrong with the sample: `HEMOLYSIS`, `LIPEMIA`, `QNS`, …'),
  })
  .meta({ id: 'PersonOfReport' })
export type PersonOfReport = z.infer<typeof PersonOfReport>
