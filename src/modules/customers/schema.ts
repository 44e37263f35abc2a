import { z } from 'zod'
import * as fields from '../../platform/http/fields.ts'
import { reportDates } from './report-dates.ts'

export const customerNumber = z.int().positive().describe('Customer ID.')

/** A customer in a path. */
export const customerKey = fields
  .anyText(255)
  .describe('The customer ID or your own external_id; the ID wins when both match.')

const MAX_TAGS = 100
const tag = fields.line(100)
const distinct = (tags: string[]) => [...new Set(tags)]
const givenTags = (tags: string[]) => (tags.length === 0 ? undefined : distinct(tags))

/** What identifies a person, in the order in which it is named. */
export const correctedFields = ['name', 'dateOfBirth', 'gender'] as const
export type CorrectedField = (typeof correctedFields)[number]

const person = {
  email: fields.email,
  name: fields.line(200),
  dateOfBirth: fields.dayOf.optional(),
  gender: z.enum(['M', 'F', 'X']).optional(),
}

const asCorrection = (schema: ReturnType<typeof fields.optionalLine>) =>
  schema.nullish().transform((value) => value ?? undefined)
const part = (max: number) => asCorrection(fields.optionalLine(max))
const orEmpty = <T extends z.ZodType>(schema: T) =>
  z.union([z.literal('').transform(() => undefined), schema]).nullish()

/** What was given of an object; undefined where that is nothing. */
function filled<T extends object>(given: T): { [K in keyof T]?: NonNullable<T[K]> } | undefined {
  const entries = Object.entries(given).filter(([, value]) => value !== null && value !== undefined)
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> })
}

const address = fields
  .withLoosePlace(
    z.object({
      street1: part(200),
      street2: part(200),
      city: part(100),
      state: part(100),
      zip: part(20),
      country: part(60),
    }),
  )
  .transform(filled)
  .nullish()

export const CreateCustomer = z
  .object({
    ...person,
    external_id: fields.optionalOwnId.describe('Your own identifier, unique among your customers of this mode.'),
    customTags: z
      .union([
        z.array(tag).max(MAX_TAGS).transform(distinct),
        fields.commaList(MAX_TAGS).pipe(z.array(tag)).transform(givenTags),
      ])
      .optional()
      .describe('An array, or one text separated by commas.'),
    address: address.describe('Where they live; the answer does not repeat it.'),
  })
  .meta({ id: 'CreateCustomer' })
export type CreateCustomer = z.infer<typeof CreateCustomer>

const correctable = {
  email: orEmpty(fields.email),
  name: part(200),
  dateOfBirth: orEmpty(fields.dayOf),
  gender: orEmpty(z.enum(['M', 'F', 'X'])),
  phone: orEmpty(fields.optionalPhone),
  address: address.describe('Replaces all; a country left out stays.'),
  external_id: asCorrection(fields.optionalOwnId),
  customTags: CreateCustomer.shape.customTags.nullable().describe('Replaces all of them.'),
}
const WHY = 'Why it is corrected, for the audit.'

interface RequestedCorrection {
  change: Correction
  reason?: string | undefined
}

/** Null and an empty text leave a field as it is: a client that sends all that it knows erases nothing. */
export const CorrectCustomer = z
  .object({
    ...correctable,
    firstName: part(100).describe('Both parts, as at the registration, in place of `name`.'),
    lastName: part(100),
    reason: fields.optionalText(300).nullish().describe(WHY),
  })
  .transform(({ reason, firstName, lastName, ...given }): RequestedCorrection => {
    const parts = firstName && lastName && !given.name ? { firstName, lastName } : undefined
    const name = parts && { name: `${parts.firstName} ${parts.lastName}`, parts }
    return { change: filled({ ...given, ...name }) ?? {}, reason: reason ?? undefined }
  })

/** By the operator, who always says why: what kits and results go by. */
export const CorrectCustomerOfAll = z
  .object({
    email: fields.email.optional(),
    name: fields.line(200).optional(),
    dateOfBirth: fields.dayOf.optional(),
    gender: z.enum(['M', 'F', 'X']).optional(),
    address: correctable.address,
    reason: fields.text(300).describe(WHY),
  })
  .transform(
    ({ reason, ...given }): RequestedCorrection => ({ change: filled(given) ?? {}, reason: reason ?? undefined }),
  )

export interface Correction {
  email?: string
  name?: string
  /** Its parts, where they are known. */
  parts?: { firstName: string; lastName: string }
  dateOfBirth?: string
  gender?: 'M' | 'F' | 'X'
  phone?: string
  address?: Partial<Record<'street1' | 'street2' | 'city' | 'state' | 'zip' | 'country', string>>
  external_id?: string
  customTags?: string[]
}

export const relations = ['parent', 'guardian', 'caregiver', 'other'] as const
export type Relation = (typeof relations)[number]

const record = {
  id: customerNumber,
  external_id: z.string().optional(),
  name: z.string(),
  email: z.string().describe('Empty for a minor, whom the e-mail of their guardian reaches.'),
  dateOfBirth: fields.isoDate.optional(),
  gender: z.enum(['M', 'F', 'X']).optional(),
  customTags: z.array(z.string()),
}

export const CustomerReport = z
  .object({
    id: z.string(),
    kitID: z.string().optional(),
    ...reportDates,
    status: z.enum(['inReview', 'published', 'rejected']).describe('What is published can be fetched.'),
    vendorStatus: z.enum(['partial', 'final', 'corrected']),
    isRecalled: z.literal(true).optional().describe('Marked or held.'),
  })
  .meta({ id: 'CustomerReport' })
export type CustomerReport = z.infer<typeof CustomerReport>

export const Customer = z
  .object({
    ...record,
    guardian: z
      .object({ name: z.string(), email: z.string(), relation: z.enum(relations) })
      .optional()
      .describe('Who registered a minor, and gets their e-mails.'),
    reports: z.array(CustomerReport).describe('Newest first; not yet published ones too.'),
  })
  .meta({ id: 'Customer' })
export type Customer = z.infer<typeof Customer>

export const ListedCustomer = z
  .object({
    ...record,
    createdDate: fields.timestamp,
    reports: z.array(z.string()).describe('The IDs of reports, newest first.'),
  })
  .meta({ id: 'ListedCustomer' })
export type ListedCustomer = z.infer<typeof ListedCustomer>

/** Customers that a list is filtered by. */
export const customerIdFilter = fields
  .commaParameter(50, '1042,1043')
  .pipe(
    z.array(
      z
        .string()
        .regex(/^[1-9]\d{0,14}$/, 'A customer ID')
        .transform(Number),
    ),
  )
  .describe('Of these people; up to 50 by comma.')
