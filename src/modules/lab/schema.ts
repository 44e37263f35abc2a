import { z } from 'zod'
import { anyText, dateOrTimestamp, text } from '../../platform/http/fields.ts'
import { reportDates } from '../customers/report-dates.ts'

const userId = z
  .union([z.int().positive(), text(255)])
  .transform(String)
  .describe("The customer's number, the same as text, or the external_id.")

const Quiz = z.object({
  type: z.literal('quiz'),
  userId,
  quizName: text(200),
  date: dateOrTimestamp,
  quizData: z
    .array(
      z.object({
        question: text(2000),
        answer: z.union([anyText(10_000), z.number(), z.boolean(), z.array(anyText(2000)).max(100)]),
      }),
    )
    .min(1)
    .max(500),
})

const TestResult = z.object({
  name: text(300).describe('Catalogue ID, label, alias or LOINC.'),
  result: z.union([z.number(), text(100)]).describe('A number, or text such as `<0.2`.'),
  unit_of_measure: anyText(100).nullable().describe('As the laboratory prints it; null or empty: none.'),
  simpleLabel: anyText(300).optional(),
  range_minimum: z.number().nullish(),
  range_maximum: z.number().nullish(),
})
export type TestResult = z.infer<typeof TestResult>

const Test = z.object({
  type: z.literal('test'),
  userId,
  date: dateOrTimestamp,
  biomarkerData: z.array(TestResult).min(1).max(1000),
})

export const MAX_FILE_BYTES = 25 * 1024 * 1024
// 25 MiB take 33.4 MiB as base64.
export const MAX_UPLOAD_BODY_BYTES = 34 * 1024 * 1024
const FileUpload = z
  .object({
    type: z.literal('file'),
    userId,
    date: dateOrTimestamp.describe('Used where the file says no date of its own.'),
    fileBlob: z
      .string()
      .max(MAX_UPLOAD_BODY_BYTES)
      .optional()
      .describe('`data:<mime>;base64,…`, at most 25 MiB before base64. What it is is told by its content.'),
    s3FileUrl: text(2000).optional().describe('Only from hosts that the operator allows.'),
    fileName: text(255).optional().describe('Kept for the reviewer; it decides nothing.'),
    async: z.boolean().optional().describe('true: answers 202 with a job.'),
  })
  .refine((body) => (body.fileBlob === undefined) !== (body.s3FileUrl === undefined), {
    message: 'Send exactly one of fileBlob and s3FileUrl',
    path: ['fileBlob'],
  })
export type FileUpload = z.infer<typeof FileUpload>

export const AddData = z.discriminatedUnion('type', [Quiz, Test, FileUpload])
export type AddData = z.infer<typeof AddData>
export type AddQuiz = z.infer<typeof Quiz>
export type AddTest = z.infer<typeof Test>

export const Done = z.object({ success: z.literal(true), message: z.string(), dataId: z.string() })

export const Conversion = z
  .object({
    name: z.string(),
    from: z.string().describe('The unit as it came.'),
    to: z.string(),
    factor: z.number(),
    offset: z.number().optional(),
  })
  .meta({ id: 'UnitConversion' })

const Unmatched = z.object({ name: z.string(), reason: z.string() })

export const TestDone = Done.extend({
  reportId: z.string().optional().describe('Absent where nothing could be matched.'),
  matched: z.int(),
  unmatched: z.array(z.string()).describe('Names that no biomarker fits; their values are kept as they came.'),
  converted: z.array(Conversion),
  notes: z.array(Unmatched).describe('Why each value that is not in the report is not.'),
}).meta({ id: 'TestDataAdded' })

/** `counted` = `assessed` + `waiting` + `dismissed`. */
export const LineCounts = z
  .object({
    counted: z.int().describe('Lines that look like results.'),
    assessed: z.int(),
    waiting: z.int().describe('For a person: see `/unassessed-results`.'),
    dismissed: z
      .int()
      .describe('By a person, or because the document itself takes them back, replaces or postpones them.'),
  })
  .meta({ id: 'LineCounts' })

export const FileResult = z
  .object({
    type: z.literal('file'),
    userId: z.int(),
    dataId: z.string(),
    docId: z.string(),
    reports: z
      .array(z.object({ id: z.string(), collectedDate: reportDates.collectedDate }))
      .describe('`collectedDate` is from 0:00 UTC where only the day is known.'),
    lines: LineCounts.optional(),
    totalBiomarkers: z.int(),
    timestamp: z.iso.datetime(),
    needsReview: z
      .enum(['scan', 'image', 'layout', 'person', 'date', 'unmatched'])
      .optional()
      .describe(
        'A person has to read this file; nothing was taken from it. `person`: it may be about somebody else or several people. `date`: the day of collection could be two days, or is wrong. `unmatched`: nothing in it could be matched. `notes` says what happens next, `GET /uploads/:docID` what was recognised.',
      ),
    unmatched: z.array(Unmatched),
    converted: z.array(Conversion),
    notes: z.array(z.string()),
  })
  .meta({ id: 'FileDataAdded' })
export type FileResult = z.infer<typeof FileResult>

/** What was found in a file. */
export type FileFindings = Omit<FileResult, 'type' | 'userId' | 'dataId' | 'docId' | 'timestamp'>

export const FileJob = z
  .object({
    id: z.string(),
    status: z.enum(['pending', 'processing', 'completed', 'failed']),
    result: FileResult.optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: 'FileJob' })
export type FileJob = z.infer<typeof FileJob>
