import { z } from 'zod'
import { kitId } from '../../domain/id-fields.ts'
import { csvColumns } from '../../platform/http/csv.ts'
import {
  anyOf,
  anyOfTexts,
  anyText,
  byCreation,
  commaParameter,
  dateOrTimestamp,
  dayOf,
  email,
  emailFilter,
  externalIdFilter,
  isTrue,
  line,
  maybePaging,
  optionalLine,
  optionalOwnId,
  optionalPhone,
  searchText,
  text,
  timestamp,
  updatedSince,
  withLoosePlace,
} from '../../platform/http/fields.ts'
import { customerIdFilter, relations } from '../customers/schema.ts'
import { language } from './consent/schema.ts'
import {
  kitAttentions,
  kitExceptions,
  kitStatuses,
  lifetimeStatuses,
  reportStatuses,
  sampleStatuses,
} from './lifecycle.ts'

const Leg = z.object({ trackingNumber: z.string(), carrier: z.string(), date: timestamp }).meta({ id: 'ShipmentLeg' })

const OutwardLeg = Leg.extend({
  isToAddressBefore: z
    .literal(true)
    .optional()
    .describe('The parcel goes to the address before its correction: a warehouse had packed it already.'),
}).meta({ id: 'OutwardLeg' })

export const Shipment = z.object({ toUser: OutwardLeg.optional(), toLab: Leg.optional() }).meta({ id: 'Shipment' })
export type Shipment = z.infer<typeof Shipment>

const Progress = z
  .object({
    type: z.enum(lifetimeStatuses),
    date: z.iso.date().optional().describe('Absent while it has not happened.'),
  })
  .meta({ id: 'KitProgress' })

export const KitRecord = z
  .object({
    kitID: z.string(),
    orderID: z.string(),
    kitType: z.string(),
    recipientEmail: z.string().optional(),
    recipientName: z.string().optional().describe('In lists with `includeNames`. Needs `orders:read`.'),
    registeredToEmail: z.string().describe('Empty until the kit is registered, and while that is in doubt.'),
    registeredName: z.string().optional().describe('In lists with `includeNames`. Needs `customers:read`.'),
    createdDate: timestamp,
    lastUpdatedDate: timestamp,
    kitStatus: z.enum(kitStatuses),
    sampleStatus: z.enum(sampleStatuses),
    status: z.enum(reportStatuses).describe('Of the report.'),
    externalID: z.string().describe("The order's; empty: none."),
    progress: z.array(Progress).describe('The lifetime statuses in order; sampleRejected only when it happened.'),
    shipment: Shipment.optional(),
    customerID: z.number().optional().describe('Once the kit is registered to a person.'),
    registrationDate: timestamp.optional(),
    postedDate: timestamp.optional().describe('When the person reported the sample as posted.'),
    exceptionReason: z.string().optional().describe('Why the kit is in an exception, or the sample was rejected.'),
    isTest: z.literal(true).optional().describe('A kit of a test order that this live token placed.'),
    replacementFor: z.string().optional(),
    replacedBy: z.string().optional(),
    allowed: z.array(z.enum([...lifetimeStatuses, ...kitExceptions])).describe('What it may be moved to now.'),
  })
  .meta({ id: 'Kit' })
export type KitRecord = z.infer<typeof KitRecord>

export const kitParams = z.object({ kitID: kitId })

/** A kit's ID, or what a barcode reader gives of its sealed box. */
export const kitOrBoxParams = z.object({
  kitID: anyText(400).describe(
    'Kit ID; case does not matter. Or the code of its sealed box, or the serial number of that.',
  ),
})

/** Any text: a kit ID that cannot exist is answered too. */
export const anyKitParams = z.object({ kitID: z.string() })

export const ListKits = z.object({
  ...maybePaging(250),
  q: searchText.optional(),
  kitID: commaParameter(250).optional().describe('Up to 50, or 250 as CSV, by comma, or repeated.'),
  orderID: commaParameter(50).optional().describe('Up to 50 by comma, or repeated.'),
  externalID: externalIdFilter.optional().describe("The order's; several by comma."),
  customerID: customerIdFilter.optional().describe('Kits registered to these people; up to 50 by comma.'),
  registeredTo: emailFilter
    .optional()
    .describe('E-mail or customer ID of the person a kit is registered to; several by comma.'),
  email: emailFilter.optional().describe("The recipient's, as of orders; several by comma."),
  sku: anyOfTexts(50).describe('Of these kit types, by comma.'),
  kitStatus: anyOf(kitStatuses),
  sampleStatus: anyOf(sampleStatuses),
  status: anyOf(reportStatuses).describe('Of the report: notStarted, inReview, published, rejected; several by comma.'),
  updatedSince: updatedSince.optional(),
  attention: anyOf(kitAttentions).describe(
    'As the overview counts them: late ones wait longer than usual; in an exception, or with a rejected sample, are those without a replacement.',
  ),
  createdDateStart: dateOrTimestamp.optional().describe('When it was made: with its order, or as a replacement.'),
  createdDateEnd: dateOrTimestamp.optional().describe('Without a time: the end of that day, UTC.'),
  sort: byCreation,
  columns: csvColumns,
  includeShipmentTracking: isTrue.prefault('1').describe('0 leaves `shipment` out.'),
  includeNames: isTrue
    .prefault('0')
    .describe('1 says `recipientName` and `registeredName`, of those that the caller may read.'),
})
export type ListKits = z.infer<typeof ListKits>

export const ConsentInput = z
  .object({
    firstName: line(100),
    lastName: line(100),
    email,
    consentVersion: text(100)
      .optional()
      .describe(
        'The `id` of the consent text that was shown, or your own name for one that you keep. Absent: the current one of the panel.',
      ),
    language: language.optional().describe('Of the text that was shown, where no `id` says it.'),
    relation: z
      .enum(relations)
      .optional()
      .describe(
        'What the person who agrees is to the person tested. Absent: they are the same. For an adult `other` does not count.',
      ),
    consentToTesting: z.literal(true, 'Must be true: there is no test without consent'),
    consentForResearch: z.boolean().default(false),
  })
  .meta({ id: 'KitConsent' })
export type ConsentInput = z.infer<typeof ConsentInput>

export const RegisterInput = withLoosePlace(
  z.object({
    firstName: line(100),
    lastName: line(100),
    email,
    dateOfBirth: dayOf,
    sex: z.enum(['M', 'F']),
    phone: optionalPhone,
    addressLine1: optionalLine(200),
    addressLine2: optionalLine(200),
    city: optionalLine(100),
    state: optionalLine(100),
    zip: optionalLine(20),
    country: optionalLine(60),
    race: z
      .array(line(100))
      .max(20)
      .transform((given) => given.join(', ') || undefined)
      .optional()
      .describe('Text, or a list of texts.'),
    guardian: z
      .object({ firstName: line(100), lastName: line(100), relation: z.enum(relations) })
      .optional()
      .describe('For a person under 18, where the panel is for them. `email` is then that of the guardian.'),
    consentForResearch: z.boolean().optional(),
    external_id: optionalOwnId,
  }),
).meta({ id: 'KitRegistration' })
export type RegisterInput = z.infer<typeof RegisterInput>

export const approvedPerson = z.object({
  isApprovedPerson: isTrue
    .optional()
    .describe(
      'You made sure that they are the recipient whom a provider approved, by another name. The audit says so.',
    ),
})

export const ReplaceInput = z.object({ reason: text(500) })
