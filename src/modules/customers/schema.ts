import { z } from 'zod'
import { anyText, commaList, dayOf, email, isoDate, optionalText, reportId, text } from '../../platform/http/fields.ts'
import { reportDates } from './report-dates.ts'

export const customerNumber = z.int().positive().describe('Customer ID.')

/** A customer in a path. */
export const customerKey = anyText(255).describe(
  'The customer ID or your own external_id; the ID wins when both match.',
)

const MAX_TAGS = 100
const tag = text(100)
const distinct = (tags: string[]) => [...new Set(tags)]

const person = {
  email,
  name: text(200),
  dateOfBirth: dayOf.optional(),
  gender: z.enum(['M', 'F', 'X']).optional(),
}

export const CreateCustomer = z.object({
  ...person,
  external_id: optionalText(255).describe('Your own identifier, unique among your customers of this mode.'),
  customTags: z
    .union([z.array(tag).max(MAX_TAGS), commaList(MAX_TAGS).pipe(z.array(tag))])
    .transform(distinct)
    .optional()
    .describe('An array, or one text separated by commas.'),
})
export type CreateCustomer = z.infer<typeof CreateCustomer>

const record = {
  id: customerNumber,
  external_id: z.string().optional(),
  name: z.string(),
  email: z.string(),
  dateOfBirth: isoDate.optional(),
  gender: z.enum(['M', 'F', 'X']).optional(),
  customTags: z.array(z.string()),
}

export const CustomerReport = z
  .object({
    id: reportId,
    kitID: z.string().optional(),
    ...reportDates,
    status: z.enum(['inReview', 'published', 'rejected']).describe('Only a published report can be fetched.'),
    vendorStatus: z.enum(['partial', 'final', 'corrected']),
  })
  .meta({ id: 'CustomerReport' })
export type CustomerReport = z.infer<typeof CustomerReport>

export const Customer = z
  .object({ ...record, reports: z.array(CustomerReport).describe('Newest first; not yet published ones too.') })
  .meta({ id: 'Customer' })
export type Customer = z.infer<typeof Customer>

export const ListedCustomer = z
  .object({ ...record, reports: z.array(reportId).describe('Newest first.') })
  .meta({ id: 'ListedCustomer' })
export type ListedCustomer = z.infer<typeof ListedCustomer>
