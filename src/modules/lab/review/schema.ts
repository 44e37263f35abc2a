import { Interval } from '@kitlane/lab-reader/facts/schema'
import { z } from 'zod'
import { businessName } from '../../../domain/id-fields.ts'
import {
  anyOf,
  anyOfOr,
  anyText,
  dateOrTimestamp,
  Pagination,
  paging,
  said,
  text,
  timestamp,
} from '../../../platform/http/fields.ts'
import { Conversion } from '../schema.ts'

export const NeedsReview = z.enum(['scan', 'image', 'layout', 'person', 'date', 'unmatched'])
export type NeedsReview = z.infer<typeof NeedsReview>

export const ReviewState = z
  .enum(['reading', 'waiting', 'confirmed', 'dismissed'])
  .describe('`reading`: text is still being recognised; a person may act already.')
export type ReviewState = z.infer<typeof ReviewState>

const Range = Interval

const Crop = z
  .object({ page: z.int(), x: z.number(), y: z.number(), w: z.number(), h: z.number() })
  .describe('Where it stands on the page: parts of its width and height (0 to 1) from the top left.')

export const Candidate = z
  .object({
    row: z.int().describe('From 1, in the order of the pages.'),
    raw: z.string().describe('The line as it was read.'),
    name: z.string().describe('As it was read.'),
    biomarker: z.string().optional().describe('The catalogue ID that the name stands for, where it is known.'),
    suggestions: z.array(z.string()).describe('Catalogue IDs that it may stand for, where it is not.'),
    value: z.string().describe('As it was read. Nothing is taken from it until a person has confirmed it.'),
    unit: z.string(),
    range: Range.optional().describe('The printed range, in `unit`.'),
    rangeText: z.string().optional(),
    flag: z.string().optional().describe('The printed flag: H, L, … where it is known.'),
    confidence: z.int().optional().describe('0 to 100. High ones may be wrong too. Absent where the file has text.'),
    crop: Crop.optional(),
    problem: said.optional().describe('Why to look twice. Without one, look once.'),
  })
  .meta({ id: 'UploadCandidate' })
export type Candidate = z.infer<typeof Candidate>

const summary = {
  docID: z.string(),
  customerID: z.int(),
  fileName: z.string().optional(),
  format: z.enum(['pdf', 'image', 'csv', 'hl7v2', 'fhir']),
  needsReview: NeedsReview,
  state: ReviewState,
  receivedDate: timestamp,
  pages: z.int().describe('Of the file.'),
  candidates: z.int().describe('How many values were found.'),
  note: said.optional().describe('What was not read, and why.'),
}
const ofBusiness = {
  business: businessName,
  mode: z.enum(['live', 'sandbox']),
}

export const Upload = z
  .object({ ...summary, customerName: z.string().optional().describe('Needs `customers:read`.') })
  .meta({ id: 'Upload' })
export type Upload = z.input<typeof Upload>
export const OperatorUpload = z.object({ ...summary, ...ofBusiness }).meta({ id: 'OperatorUpload' })
export type OperatorUpload = z.input<typeof OperatorUpload>

const detail = {
  date: z.string().describe('The day that was given with the file.'),
  collectedDate: z.string().optional().describe('As it was read.'),
  resultedDate: z.string().optional(),
  patient: z
    .object({ name: z.string(), dateOfBirth: z.string(), sex: z.enum(['M', 'F']) })
    .partial()
    .optional(),
  personProblem: said.optional().describe('Why it may be about somebody else.'),
  pageImages: z.array(z.int()).describe('Pages that can be seen as pictures.'),
  lines: z.array(z.object({ page: z.int(), text: z.string(), confidence: z.number().optional() })),
  candidates: z.array(Candidate),
  reportID: z.string().optional(),
  closedDate: timestamp.optional(),
  reason: z.string().optional(),
}

export const UploadReview = z.object({ ...summary, ...detail }).meta({ id: 'UploadReview' })
export type UploadReview = z.input<typeof UploadReview>
export const OperatorUploadReview = z
  .object({ ...summary, ...ofBusiness, ...detail })
  .meta({ id: 'OperatorUploadReview' })

const list = {
  ...paging(50, 250),
  needsReview: anyOf(NeedsReview.options),
  state: anyOfOr(['open', 'confirmed', 'dismissed'], 'open').describe(
    '`open`: a person has to act. `confirmed`, `dismissed`; several by comma.',
  ),
}
export const UploadQuery = z.object(list)
export const OperatorUploadQuery = z.object({ ...list, mode: z.enum(['live', 'sandbox']).default('live') })

export const UploadPage = z.object({ data: z.array(Upload), pagination: Pagination }).meta({ id: 'UploadPage' })
export const OperatorUploadPage = z
  .object({ data: z.array(OperatorUpload), pagination: Pagination })
  .meta({ id: 'OperatorUploadPage' })

export const uploadParams = z.object({ docID: text(64) })
export const pageParams = z.object({ docID: text(64), page: z.coerce.number().int().min(1).max(1000) })

const side = z.number().nullable().default(null)

export const ConfirmUpload = z.object({
  collectedDate: dateOrTimestamp,
  resultedDate: dateOrTimestamp.optional(),
  results: z
    .array(
      z
        .object({
          biomarker: text(100).describe('A catalogue ID.'),
          value: z.union([z.number(), text(100)]).describe('A number, or text such as `<0.2`.'),
          unit: z.string().max(60).describe('As it is printed.'),
          range: Range.extend({ low: side, high: side })
            .optional()
            .describe('The printed range, in `unit`; one side is enough.'),
          flag: anyText(10).optional().describe('The printed flag. It counts where our interval differs.'),
        })
        .meta({ id: 'ConfirmedResult' }),
    )
    .min(1)
    .max(500),
  confirmed: z.literal(true).describe('That a person compared each value with the page.'),
})
export type ConfirmUpload = z.infer<typeof ConfirmUpload>

export const UploadConfirmed = z
  .object({ docID: z.string(), reportID: z.string(), matched: z.int(), converted: z.array(Conversion) })
  .meta({ id: 'UploadConfirmed' })
export type UploadConfirmed = z.infer<typeof UploadConfirmed>

export const DismissUpload = z.object({ reason: text(300) })
export const UploadDismissed = z.object({
  docID: z.string(),
  state: z.literal('dismissed').describe('No longer for a person.'),
})
