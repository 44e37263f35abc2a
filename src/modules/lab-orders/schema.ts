import { z } from 'zod'
import { businessName, kitId } from '../../domain/id-fields.ts'
import {
  anyLine,
  anyOf,
  anyOfTexts,
  countryCode,
  isTrue,
  line,
  Pagination,
  paging,
  said,
  text,
  timestamp,
} from '../../platform/http/fields.ts'
import { actions, attentions, outcomes, states } from './decision.ts'

/** What a laboratory asks at order entry, and where the answer comes from. */
const facts = ['ageYears', 'sex', 'collectionDate', 'collectionTime', 'postedDate', 'state', 'country'] as const

const answers = z.union([
  z.object({ fact: z.enum(facts).describe('What is known of the kit.') }),
  z.object({
    question: line(40).describe('The ID of a question of the panel.'),
    values: z
      .record(z.string().max(200), line(200))
      .optional()
      .describe("The laboratory's words for answers, such as `yes`: `Y`."),
  }),
  z.object({ value: line(200) }),
])

const LabQuestion = z
  .object({
    code: line(60).describe('Of the laboratory, or of LOINC.'),
    text: line(200),
    codingSystem: line(20).default('L').describe('HL7 table 0396: `L` for a code of its own, `LN` for LOINC.'),
    answer: answers.describe(
      'What is known of the kit, what the person answered, or always the same. What is not known is left out.',
    ),
    isRequired: z.boolean().default(false).describe('Without an answer the order waits for a person.'),
  })
  .meta({ id: 'LabQuestion' })

const Test = z.object({
  kitType: line(64),
  code: line(60).describe('What it is ordered by.'),
  name: line(200).describe('As the laboratory calls it.'),
  codingSystem: line(20).default('L').describe('HL7 table 0396.'),
  specimen: line(20).default('BLD').describe('HL7 table 0487, such as `BLDC` (capillary blood), `SAL`, `UR`.'),
  questions: z.array(LabQuestion).max(50).default([]).describe('What it asks at order entry.'),
})

const folder = z.object({
  kind: z.literal('folder'),
  folder: z
    .string()
    .regex(/^[\w-]{1,64}$/, 'Letters, digits, - and _')
    .describe('Below `LAB_ORDERS_FOLDER`; it must be there.'),
})
const mllp = z.object({
  kind: z.literal('mllp'),
  url: text(300).describe('`mllps://<host>:<port>`, or `mllp://…` in a private network.'),
})
const https = z.object({ kind: z.literal('https'), url: text(2000).describe('Orders are posted there.') })

export const ConnectionInput = z.object({
  isActive: z.boolean().default(true).describe('It gets new orders. Orders that it has go on either way.'),
  priority: z.int().min(0).max(1000).default(100).describe('Of several that can take an order, the lowest.'),
  transport: z.discriminatedUnion('kind', [mllp, https, folder]).describe('How it is reached.'),
  format: z
    .enum(['hl7v2', 'fhir'])
    .default('hl7v2')
    .describe('hl7v2: OML^O21 of 2.5.1. fhir: a transaction of ServiceRequest, Specimen and Patient, over https only.'),
  authorization: text(2000)
    .regex(/^[\x20-\x7e]+$/, 'Plain ASCII in one line')
    .nullish()
    .describe(
      'The header `Authorization`, over https. Kept encrypted, and never shown. Left out: as before. Null: none.',
    ),
  application: anyLine(180).default('').describe('MSH-5, with its components, such as `LAB^12D3456789^CLIA`.'),
  facility: anyLine(180).default('').describe('MSH-6.'),
  sendingFacility: anyLine(180).default('').describe('MSH-4: what the laboratory knows you by.'),
  countries: z.array(countryCode).max(250).default([]).describe('Where people whom it tests live; empty: anywhere.'),
  states: z
    .array(z.string().trim().toUpperCase().min(1).max(40))
    .max(500)
    .default([])
    .describe('The same by state, such as `CA` or `US-CA`, where the address has one; empty: anywhere.'),
  capacityPerDay: z.int().min(0).max(1_000_000).nullable().default(null).describe('Orders a day, UTC.'),
  tests: z.array(Test).max(200).describe('What it tests, by kit type.'),
})
export type ConnectionInput = z.output<typeof ConnectionInput>
export type LaboratoryTest = ConnectionInput['tests'][number]

export const LabConnection = ConnectionInput.omit({ authorization: true })
  .extend({
    laboratoryID: z.string(),
    name: z.string().describe('Of the laboratory.'),
    hasAuthorization: z.boolean().describe('A header is set.'),
    routedToday: z.int().describe('Orders that it was given today, UTC.'),
    createdDate: timestamp,
    changedDate: timestamp,
  })
  .meta({ id: 'LabConnection' })
export type LabConnection = z.input<typeof LabConnection>

export const laboratoryParam = z.object({ laboratoryID: text(64) })

const Message = z.object({
  controlID: z.string().describe('MSH-10 of the message.'),
  action: z.enum(actions),
  laboratoryID: z.string(),
  tries: z.int().describe('How often it was sent. Each time it is the same message.'),
  madeDate: timestamp,
  sentDate: timestamp.optional().describe('Last.'),
  answeredDate: timestamp.optional(),
  outcome: z.enum(outcomes).optional().describe('Absent while it waits for an answer.'),
  code: z.string().optional().describe('Of the acknowledgement or the refusal.'),
  answer: z.string().optional().describe('As the laboratory sent it.'),
})

/** The order of a kit to a laboratory. */
export const LabOrder = z
  .object({
    kitID: z.string(),
    orderID: z.string(),
    placerNumber: z.string().describe('ORC-2: by what the laboratory knows it.'),
    fillerNumber: z.string().optional().describe("ORC-3: the laboratory's own number."),
    state: z
      .enum(states)
      .describe(
        'unrouted: no laboratory takes it. queued: it is being sent. sent: received, not answered yet. completed: all results are there. closed: settled otherwise.',
      ),
    pending: z.enum(actions).optional().describe('What the laboratory is told next.'),
    attention: z.enum(attentions).optional().describe('Why a person must look.'),
    laboratory: z.object({ id: z.string(), name: z.string() }).optional(),
    nextTryDate: timestamp.optional(),
    createdDate: timestamp,
    changedDate: timestamp,
  })
  .meta({ id: 'LabOrder' })
export type LabOrder = z.input<typeof LabOrder>

/** The same for the operator, with what was said. */
export const LabOrderOfAll = LabOrder.extend({
  sentence: said.optional().describe('`attention` in words, with what can be done.'),
  reason: z.string().optional().describe('What the laboratory said.'),
  messages: z.array(Message).optional().describe('Oldest first, of a single order.'),
  business: businessName.optional(),
}).meta({ id: 'LabOrderOfAll' })
export type LabOrderOfAll = z.input<typeof LabOrderOfAll>

/** The same as a business hears of it. */
export const LabOrderNews = LabOrder.pick({
  kitID: true,
  orderID: true,
  placerNumber: true,
  fillerNumber: true,
  state: true,
  attention: true,
  createdDate: true,
  changedDate: true,
})
export type LabOrderNews = z.input<typeof LabOrderNews>

export const LabOrderQuery = z.object({
  ...paging(50, 250),
  state: anyOf(states),
  attention: anyOf(attentions).describe('Why a person must look.'),
  needsAttention: isTrue.optional().describe('Only those where a person must look.'),
  laboratoryID: anyOfTexts(50).describe('Of these laboratories, by comma.'),
  businessID: anyOfTexts(50).describe('Of these businesses, by comma.'),
})
export const LabOrderPage = z.object({ data: z.array(LabOrderOfAll), pagination: Pagination })

export const kitParam = z.object({ kitID: kitId })

export const RouteLabOrder = z.object({
  laboratoryID: text(64).optional().describe('Default: as the rules say now.'),
})

export const CloseLabOrder = z.object({
  reason: text(300).describe('How it was settled, for the audit. Nothing about a person.'),
})

/** What a laboratory answers later than on the line on which it got the order. */
export const LabOrderAnswer = z.union([
  z.object({
    controlID: text(60).describe('MSH-10 of the message that is answered.'),
    accepted: z.boolean().describe('false: the laboratory refuses it.'),
    fillerNumber: line(200).optional().describe("The laboratory's own number."),
    code: line(60).optional(),
    reason: text(1000).optional(),
  }),
  z.string().describe('ORL^O22, ORL^O34 or ACK, as `application/hl7-v2`.'),
])
export type LabOrderAnswer = z.output<typeof LabOrderAnswer>

/** One of several answers in a body that was not taken. */
export const RefusedAnswer = z.object({
  controlID: z.string().optional().describe('MSA-2, if it is there.'),
  error: z.object({ status: z.int(), code: z.string(), message: z.string() }),
})
export type RefusedAnswer = z.input<typeof RefusedAnswer>
