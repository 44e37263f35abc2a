import { z } from 'zod'
import { businessName } from '../../domain/id-fields.ts'
import type { SessionScope } from '../../domain/scopes.ts'
import { isoDate, timestamp } from '../../platform/http/fields.ts'
import { Customer, CustomerReport, customerNumber, relations } from '../customers/schema.ts'
import type { ExportPart, Module } from '../define-module.ts'
import { BriefEmail } from '../emails/brief.ts'
import { ConsentEntry, withdrawable, withdrawalOutcomes } from '../kits/consent/schema.ts'
import { KitRecord } from '../kits/schema.ts'
import { ReceivedResults } from '../lab/received/schema.ts'
import { Approval } from '../orders/schema.ts'
import { CriticalAnswer } from '../reports/critical/schema.ts'
import { DataRequest } from './requests/schema.ts'

const anything = z.record(z.string(), z.unknown())

/** The parts of an export that modules add. */
export const partsOf = (modules: readonly Module[]): [string, ExportPart][] =>
  modules.flatMap(({ person }) => Object.entries(person?.exports ?? {}))

/** Parts of an export with the scope that each takes besides that of customers. */
export const scopedParts = (modules: readonly Module[]): { part: string; scope: SessionScope }[] => [
  { part: 'kits', scope: 'kits:read' },
  { part: 'orders', scope: 'orders:read' },
  ...partsOf(modules).flatMap(([part, { scope }]) => (scope ? [{ part, scope }] : [])),
  { part: 'reports', scope: 'reports:read' },
  { part: 'unpublishedReports', scope: 'reports:review' },
  { part: 'unassessedResults', scope: 'reports:review' },
  { part: 'criticalResults', scope: 'reports:review' },
  { part: 'receivedDocuments', scope: 'reports:review' },
]

const ExportedConsent = z.object({
  consentedAt: timestamp,
  consentVersion: z.string(),
  kitType: z.string().optional(),
  language: z.string().optional(),
  sha256: z.string().optional().describe('Of the words that were agreed to.'),
  relation: z.enum(relations).optional().describe('What the person who agreed is to the customer.'),
  consentForResearch: z.boolean(),
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  email: z.string().optional(),
  ip: z.string().optional(),
})

const ExportedKit = z.object({
  kitID: z.string(),
  orderID: z.string(),
  kitType: z.string(),
  createdDate: timestamp,
  kitStatus: z.string(),
  sampleStatus: z.string(),
  status: z.string(),
  progress: z.record(z.string(), z.string()),
  shipment: anything,
  registeredToEmail: z.string().optional(),
  registrationDate: timestamp.optional(),
  registration: anything.optional().describe('As it was given.'),
  consents: z.array(ExportedConsent),
  consentWithdrawals: z.array(
    z.object({
      what: z.enum(withdrawable),
      outcome: z.enum(withdrawalOutcomes),
      by: z.string(),
      withdrawnAt: timestamp,
    }),
  ),
})

const ExportedOrder = z.object({
  orderID: z.string(),
  createdDate: timestamp,
  status: z.string(),
  sku: z.string(),
  quantity: z.int(),
  externalID: z.string().optional(),
  externalTags: z.array(z.string()),
  recipient: z
    .object({
      firstName: z.string().optional(),
      lastName: z.string().optional(),
      email: z.string().optional(),
      phone: z.string().optional(),
      address: anything.optional(),
    })
    .optional()
    .describe('Only of this person, as `approval`.'),
  approval: Approval.optional(),
})

const ExportedReport = z.object({
  id: z.string(),
  kitID: z.string().optional(),
  status: z.string(),
  vendorStatus: z.string(),
  collectedDate: isoDate.optional(),
  resultedDate: isoDate.optional(),
  publishedDate: timestamp.optional(),
  createdDate: timestamp,
  versions: z.array(
    z.object({
      version: z.int(),
      scoreVersion: z.string(),
      createdDate: timestamp,
      reason: z.string().optional(),
      axes: z.unknown(),
      suggestions: z.unknown(),
      labParamsError: z.unknown(),
      biomarker: z.array(z.unknown()).describe('Each result as it was judged then.'),
    }),
  ),
})

const leftOutOf = (modules: readonly Module[]) =>
  z
    .array(z.object({ part: z.enum(scopedParts(modules).map(({ part }) => part)), scope: z.string() }))
    .describe(
      'Parts that the caller may not read, whether there is any of them or not, with the scope that each takes.',
    )

export const OwnExport = z.object({
  exportedDate: timestamp,
  leftOut: leftOutOf([]),
  customer: z.object({
    id: customerNumber,
    external_id: z.string().optional(),
    name: z.string(),
    firstName: z.string().optional(),
    lastName: z.string().optional(),
    email: z.string(),
    guardian: z
      .object({ firstName: z.string(), lastName: z.string(), email: z.string(), relation: z.enum(relations) })
      .optional(),
    dateOfBirth: isoDate.optional(),
    gender: z.enum(['M', 'F', 'X']).optional(),
    phone: z.string().optional(),
    address: anything.optional(),
    race: z.string().optional(),
    language: z.string().optional().describe('In which the person reads pages and gets e-mails: `en`, `ar`.'),
    consentForResearch: z.boolean(),
    customTags: z.array(z.string()),
    createdDate: timestamp,
  }),
  kits: z.array(ExportedKit),
  orders: z.array(ExportedOrder),
  reports: z.array(ExportedReport),
  data: z.array(
    z.object({
      dataId: z.string(),
      kind: z.string(),
      date: isoDate,
      payload: z.unknown(),
      documents: z.array(
        z.object({ docId: z.string(), fileName: z.string().optional(), mediaType: z.string(), bytes: z.int() }),
      ),
      createdDate: timestamp,
    }),
  ),
  unassessedResults: z
    .array(
      z.object({
        name: z.string(),
        value: z.string(),
        unit: z.string(),
        range: z.string(),
        flag: z.string(),
        reason: z.string(),
        kitID: z.string().optional(),
        reportID: z.string().optional(),
        receivedDate: timestamp,
      }),
    )
    .describe('What was received and not judged.'),
  criticalResults: z.array(CriticalAnswer).describe('Results that somebody had to hear of at once, and who did.'),
  receivedDocuments: z.array(ReceivedResults).describe('Every result that was received, as it was sent.'),
  dataRequests: z.array(DataRequest).describe('What they asked for about their data, newest first.'),
  emails: z.array(z.object({ kind: z.string(), subject: z.string(), status: z.string(), date: timestamp })),
  auditEntries: z.array(
    z.object({
      date: timestamp,
      actor: z.string(),
      action: z.string(),
      objectType: z.string(),
      objectID: z.string(),
      details: anything.optional(),
    }),
  ),
})
export type CustomerExport = z.input<typeof OwnExport>

/** Everything that is kept about a person, with the parts that modules add. */
export const customerExport = (modules: readonly Module[]) =>
  OwnExport.extend({
    leftOut: leftOutOf(modules),
    ...Object.fromEntries(partsOf(modules).map(([name, { shape }]) => [name, shape])),
  }).meta({ id: 'CustomerExport' })

export const CustomerErased = z
  .object({
    message: z.string(),
    customerID: customerNumber,
    erased: z.object({ kits: z.int(), reports: z.int(), consents: z.int() }),
    kept: z
      .object({
        laboratory: z.int().optional(),
        requisition: z.int().optional(),
        other: z.int().optional().describe('What needs no keeping: only while a legal hold stands.'),
      })
      .describe('How many records the operator keeps sealed until their term ends. Nobody reads them meanwhile.'),
    keptUntil: timestamp.optional().describe('When the last of them ends. Absent: nothing is kept, or a hold stands.'),
    legalHold: z
      .boolean()
      .describe('A legal hold keeps everything until it is lifted. The person is restricted all the same.'),
  })
  .meta({ id: 'CustomerErased' })
export type CustomerErased = z.infer<typeof CustomerErased>

const PersonReport = CustomerReport.pick({ id: true, kitID: true, collectedDate: true, status: true })

const { type, at, research, name: whose, outcome } = ConsentEntry.shape
const PersonConsent = z.object({
  kitID: z.string(),
  type,
  at,
  research,
  name: whose,
  outcome,
})

const { id, name, external_id, dateOfBirth, gender, email, guardian } = Customer.shape

export const OperatorPerson = z
  .object({
    business: businessName,
    id,
    name,
    external_id,
    dateOfBirth,
    gender,
    createdDate: timestamp,
    email: email.optional().describe('For the scope `lab` only. Empty for a minor.'),
    guardian: guardian.describe('Who registered a minor; for the scope `lab` only.'),
    kits: z.array(KitRecord).describe('The newest 250.'),
    panels: z.array(z.object({ kitType: z.string(), name: z.string() })).describe('What the kit types are called.'),
    reports: z.array(PersonReport).describe('Newest first: which there are and where they are, no results.'),
    consents: z.array(PersonConsent).describe('Oldest first, by kit.'),
    emails: z.array(BriefEmail).optional().describe('Newest first; for the scope `mail` only.'),
  })
  .meta({ id: 'OperatorPerson' })
export type OperatorPerson = z.infer<typeof OperatorPerson>
