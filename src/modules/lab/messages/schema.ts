import { MeasuredWith, Origin } from '@kitlane/lab-reader/parse/origin'
import { Comparator, Patient, SpecimenError } from '@kitlane/lab-reader/parse/parsed'
import { differences } from '@kitlane/lab-reader/parse/person'
import { z } from 'zod'
import { kitId } from '../../../domain/id-fields.ts'
import { anyText, dateOrTimestamp, dayOf, said, text, timestamp } from '../../../platform/http/fields.ts'
import { AuthorityStatement } from '../../reports/unassessed/schema.ts'
import { Conversion, LineCounts } from '../schema.ts'

const accession = text(200).describe("The laboratory's own number of the sample.")

export const DiscardedMessage = z.object({
  authority: AuthorityStatement.optional().describe(
    'Needed where the message has an `authority` that may have to be told.',
  ),
})
export type DiscardedMessage = z.output<typeof DiscardedMessage>

export const rejectionReasons = {
  hemolysis: 'Hemolysis',
  qns: 'Quantity not sufficient',
  delayed: 'Delayed sample delivery',
  clotted: 'Clotted',
  unlabeled: 'Not labeled, or labeled wrongly',
  contaminated: 'Contaminated',
  other: 'Another reason',
} as const

export const ReceiveSample = z.object({
  kitID: kitId,
  accession: accession.optional(),
  receivedDate: dateOrTimestamp.optional(),
  confirm: z
    .boolean()
    .default(false)
    .describe('A person has looked: there is a sample in the box of a kit that is said to have reached nobody.'),
})

export const RejectSample = z.object({
  kitID: kitId,
  reason: z.enum(Object.keys(rejectionReasons) as [keyof typeof rejectionReasons]),
  note: anyText(300).optional(),
})

const Result = z
  .object({
    name: text(300).optional(),
    loinc: z
      .string()
      .regex(/^\d{1,7}-\d$/)
      .optional(),
    value: z
      .union([z.number(), text(100)])
      .optional()
      .describe('A number, or text such as `<0.2`. May be absent where a result is withdrawn or canceled.'),
    unit: anyText(100),
    comparator: Comparator.optional(),
    rangeLow: z.number().nullish(),
    rangeHigh: z.number().nullish(),
    rangeText: anyText(100).optional().describe('The range as it is printed, such as `<5.7`: its sign counts.'),
    method: text(300).optional().describe('How it was measured.'),
    comment: anyText(2000).optional().describe("The laboratory's note on this result."),
    flag: anyText(10).optional().describe('HL7 table 0078, such as H or LL.'),
    status: z
      .enum(['final', 'corrected', 'preliminary', 'withdrawn', 'canceled'])
      .optional()
      .describe(
        '`withdrawn`: a result that was sent before is wrong. `canceled`: it cannot be obtained. Both leave the report at once.',
      ),
  })
  .refine(({ value, status }) => value !== undefined || status === 'withdrawn' || status === 'canceled', {
    message: 'Say the value',
    path: ['value'],
  })
  .meta({ id: 'LabResultInput' })
export type LabResult = z.infer<typeof Result>

export const LabResults = z
  .object({
    kitID: kitId.optional(),
    accession: accession.optional(),
    messageID: text(200)
      .optional()
      .describe("The sender's own ID of this message. One that came before changes nothing."),
    sentDate: dateOrTimestamp
      .optional()
      .describe('When the laboratory sent it: a message that is older than another replaces none of its results.'),
    status: z
      .enum(['preliminary', 'final', 'corrected'])
      .default('final')
      .describe('Of the results that say no status of their own.'),
    collectedDate: dateOrTimestamp.optional(),
    resultedDate: dateOrTimestamp.optional(),
    patient: z
      .object({ name: text(200), dateOfBirth: dayOf, sex: z.enum(['M', 'F']) })
      .partial()
      .optional(),
    specimenErrors: z.array(SpecimenError).default([]),
    origin: Origin.partial()
      .optional()
      .describe('Laboratory, specimen and times; what is missing comes from the profile of the laboratory.'),
    measuredWith: z
      .array(MeasuredWith.extend({ results: z.array(text(300)).max(1000).default([]) }))
      .max(50)
      .optional()
      .describe('Runs and lots of reagents, which a recall may name.'),
    results: z.array(Result).min(1).max(1000),
  })
  .refine((body) => body.kitID !== undefined || body.accession !== undefined, {
    message: 'Say which sample: kitID or accession',
    path: ['kitID'],
  })
export type LabResults = z.infer<typeof LabResults>

const Unmatched = z.object({
  name: z.string(),
  code: z.string().describe('The reason for programs.'),
  reason: said,
  critical: z.boolean().describe('It holds the report until a person has seen it.'),
})

export const MessageOutcome = z
  .object({
    status: z
      .enum(['reported', 'waiting'])
      .describe('waiting: no kit could be told, or a person has to look; see the queue.'),
    messageID: z.string().optional(),
    reason: said.optional(),
    kitID: z.string().optional(),
    reportID: z.string().optional(),
    matched: z.int(),
    unmatched: z.array(Unmatched),
    converted: z.array(Conversion),
    lines: LineCounts.optional(),
    withdrawn: z
      .array(z.string())
      .optional()
      .describe(
        'Biomarkers whose earlier result was taken back: the newest version of the report no longer shows them.',
      ),
    superseded: z
      .array(z.string())
      .optional()
      .describe(
        'Names of results that change nothing: a corrected, final or newer one stands, or the laboratory took them back. They are kept.',
      ),
    critical: z
      .array(z.string())
      .describe(
        'Biomarkers of which the report shows a critical result that the message has: flagged by the laboratory, beyond a critical limit, or a finding that nobody learns without a person. Of a message that waits and is on no kit: none; see the queue.',
      ),
  })
  .meta({ id: 'MessageOutcome' })
export type MessageOutcome = z.infer<typeof MessageOutcome>

export const LabAnswer = z
  .object({ reports: z.array(MessageOutcome), notes: z.array(z.string()) })
  .meta({ id: 'LabResultsTaken' })

export const LabMessage = z
  .object({
    id: z.string(),
    format: z.string(),
    accession: z.string().optional(),
    reason: said,
    status: z.enum(['waiting', 'assigned', 'discarded']),
    receivedDate: timestamp,
    results: z.int(),
    critical: z.int().describe('Results that are flagged critical or abnormal.'),
    values: z.array(
      z.object({
        name: z.string(),
        value: z.string(),
        unit: z.string(),
        range: z.string(),
        flag: z.string(),
        critical: z.boolean(),
      }),
    ),
    kitID: z.string().optional().describe('The kit that the message names.'),
    readyForKitID: z
      .string()
      .optional()
      .describe('The kit that it means, where nothing speaks against it any more: it was registered meanwhile.'),
    patient: Patient.pick({ name: true, dateOfBirth: true, sex: true }).optional(),
    collectedDate: z.string().optional(),
    authority: z
      .object({
        conditions: z.array(z.string()).describe('Of the rules.'),
        deadlineDate: timestamp.describe('By the rules, since it came.'),
      })
      .optional()
      .describe('A health authority may have to be told of results in it.'),
    suggestions: z.array(z.object({ kitID: z.string(), reason: said })).describe('Kits that it may belong to.'),
    assignedKitID: z.string().optional().describe('The kit that a person put it on.'),
    closedDate: timestamp.optional().describe('When it was assigned or discarded.'),
    canBeUndone: z.boolean().describe('It can be taken off its kit again, for 30 days.'),
  })
  .meta({ id: 'LabMessage' })
export type LabMessage = z.input<typeof LabMessage>

const Identity = Patient.pick({ name: true, dateOfBirth: true, sex: true })

export const PeopleCompared = z
  .object({
    kitID: z.string(),
    patient: Identity.optional().describe('Whom the message names; absent where it names nobody.'),
    person: Identity.optional().describe('Who registered the kit; absent where nobody did.'),
    differences: z.array(z.enum(differences)).describe('In what they cannot be one person.'),
  })
  .meta({ id: 'PeopleCompared' })

export const AssignMessage = z.object({
  kitID: kitId,
  differences: z
    .array(z.enum(differences))
    .optional()
    .describe(
      'In what the person of the kit differs from the one whom the message names, as you saw it. One that is missing here is refused.',
    ),
})
