import { sentence } from '@kitlane/display/sentence'
import { specimenNames } from '@kitlane/display/specimen-codes'
import { isUniversalId } from '@kitlane/lab-reader/elr/validate'
import { z } from 'zod'
import { businessName } from '../../domain/id-fields.ts'
import {
  anyOf,
  anyOfTexts,
  countryCode,
  dateOrTimestamp,
  isTrue,
  line,
  Pagination,
  paging,
  said,
  text,
  timestamp,
} from '../../platform/http/fields.ts'
export const states = ['waiting', 'due', 'sent', 'accepted', 'refused', 'byHand', 'notTold'] as const
export type NoticeState = (typeof states)[number]
/** Those that still have to be told. */
export const openStates: readonly NoticeState[] = ['waiting', 'due', 'refused']

/** Why a notice waits for a person, or why it is not told. */
export const sentences = {
  indeterminate: sentence('The answer is not clear: wait for another test, or tell it as it is.'),
  preliminary: sentence('The result is preliminary: wait for the final one, or tell it as it is.'),
  unreadable: sentence(
    'The answer could not be read: see the report, and tell the authority by hand if it has to know.',
  ),
  severalAnswers: sentence(
    'The laboratory sent several answers of this test, of several samples or of one: tell the authority by hand of each that it has to know.',
  ),
  sampleDoubted: sentence('It is doubtful whose sample it is: see the report, then tell it or say why not.'),
  sampleRejected: sentence('Its sample was rejected: see the report, then tell it or say why not.'),
  otherSpecimen: sentence(
    'The laboratory sent a correction, or the number of this sample again, and not clearly of the sample of this result: ask which one it means, then tell it or say why not.',
  ),
  afterErasure: sentence(
    'The laboratory sent more of this kit after its person was erased: see the message that waits in Unmatched, and tell the authority by hand what holds now.',
  ),
  messageWaits: sentence(
    'A message of the laboratory about this kit waits in Unmatched, and may say something else: see it and put it on the kit or discard it, or tell the authority by hand what holds now.',
  ),
  notOfKit: sentence('It came in a file, not from a sample of a kit: ask whether the laboratory has told it.'),
  placeUnknown: sentence(
    'The state where the person lives is not known, or the ZIP code is of another one: correct the address.',
  ),
  noAuthority: sentence('No authority is entered for the place where the person lives.'),
  incomplete: sentence(
    'The message breaks rules of the guide: say here what is missing of the sample, enter the laboratory on the page Laboratories or correct the person, then send it; or tell it by hand.',
  ),
  severalSpecimens: sentence(
    'The laboratory named several samples, and not which one the result is of: say what was taken, or tell it by hand.',
  ),
  unitOfRule: sentence('The rule has its limit in a unit that this result cannot be compared with: correct the rule.'),
  onlyByHand: sentence('This authority is told by hand: do it, and say so here.'),
  authorityOff: sentence(
    'The authority that was told, or may have been, is switched off: tell it by hand, or switch it on again.',
  ),
  finalSince: sentence(
    'The result became final after somebody told it or decided about it: tell it again, or say why not.',
  ),
  changedSince: sentence(
    'The result or the person was corrected after somebody told it or decided about it: tell what holds now, or say why not.',
  ),
  training: sentence('It went as training, which does not count: set the authority to production, or tell it by hand.'),
  refused: sentence(
    'The authority refused the message: correct the person, the sample or the authority, and send it again; or tell it by hand.',
  ),
  corrected: sentence('The laboratory corrected the result before it was told.'),
  withdrawn: sentence('The laboratory withdrew the result, or its message was taken off the kit, before it was told.'),
  elsewhere: sentence('The person lives elsewhere, or no rule asks for it any more.'),
  abroad: sentence('The person lives in a country of which no rule is.'),
  decided: sentence('A person decided not to tell it.'),
}
export type Reason = keyof typeof sentences
const reasons = Object.keys(sentences) as Reason[]

const inStates = z.array(z.string().trim().toUpperCase().min(1).max(60)).max(100).default([])
const country = { country: countryCode, states: inStates.describe('Such as `CA`; empty: the whole country.') }

const positive = z.object({ kind: z.literal('positive') }).describe('Detected, reactive, or a number above 0.')
const above = z.object({
  kind: z.literal('above'),
  above: z.number().describe('In `unit`.'),
  unit: line(40).describe('UCUM.'),
})

export const RuleInput = z.object({
  id: text(64).optional().describe('Of the rule that is changed. Absent: a new one.'),
  condition: line(100).describe('Such as `Gonorrhea`.'),
  biomarkers: z.array(line(100)).min(1).max(100).describe('Catalogue IDs.'),
  answer: z.discriminatedUnion('kind', [positive, above]).describe('Which answer is told.'),
  ...country,
  withinHours: z.int().min(0).max(8760).nullable().describe('0: at once. Null: not known yet, so that it stays off.'),
  source: text(500).describe('Where it is published.'),
  isActive: z.boolean().default(false).describe('Needs `signedBy` and `withinHours`.'),
  signedBy: line(200).optional().describe('Who reviewed the rule as it is here. Absent: not yet reviewed.'),
})
export type RuleInput = z.output<typeof RuleInput>
export const NotifiableRule = RuleInput.extend({
  id: z.string(),
  changedDate: timestamp,
  activeSince: timestamp.optional().describe('When it was switched on. Results found before are due from then.'),
}).meta({ id: 'NotifiableRule' })
export const SavedRule = NotifiableRule.extend({
  endedNotices: z
    .int()
    .describe(
      'How many results that wait are not told any more, since no rule asks for them. They wait again once one does.',
    ),
})
export type NotifiableRule = z.output<typeof NotifiableRule>

const Designator = z
  .object({
    name: line(20).refine((name) => !/[|^~\\&]/.test(name), 'Without | ^ ~ \\ &, which separate fields of HL7'),
    id: line(199).describe('An OID, or a CLIA number.'),
    kind: z.enum(['ISO', 'CLIA']).default('ISO'),
  })
  .superRefine(({ id, kind }, context) => {
    const message = kind === 'CLIA' ? 'A CLIA number, such as 11D1111111' : 'An OID, such as 2.16.840.1.113883.3.1'
    if (!isUniversalId(id, kind)) context.addIssue({ code: 'custom', path: ['id'], message })
  })

const transports = [
  z.object({ kind: z.literal('mllp'), url: text(300).describe('Its host must be in `LAB_ORDERS_HOSTS`.') }),
  z.object({
    kind: z.literal('folder'),
    folder: z
      .string()
      .regex(/^[\w-]{1,64}$/, 'Letters, digits, - and _')
      .describe('It must be there.'),
  }),
  z.object({ kind: z.literal('byHand') }),
] as const

export const AuthorityInput = z.object({
  id: text(64).optional().describe('Of the authority that is changed. Absent: a new one.'),
  name: line(200),
  ...country,
  application: Designator.describe('MSH-5.'),
  facility: Designator.describe('MSH-6.'),
  transport: z
    .discriminatedUnion('kind', transports)
    .describe('How it is told. folder: a file below `LAB_ORDERS_FOLDER`. byHand: by a person, who sees the message.'),
  acknowledges: z.boolean().default(false).describe('Profile PHLabReport-Ack.'),
  processing: z.enum(['P', 'T', 'D']).default('T').describe('MSH-11: production, training, debugging.'),
  isActive: z.boolean().default(true).describe('It is told.'),
})
export type AuthorityInput = z.output<typeof AuthorityInput>
export const Authority = AuthorityInput.extend({ id: z.string() }).meta({ id: 'HealthAuthority' })
export type Authority = z.output<typeof Authority>

const Ordering = z.object({
  ...{ name: line(50), street: line(120).describe('With its number.'), city: line(50), state: line(2), zip: line(10) },
  phone: line(20).describe('Ten digits, after +1 or not.'),
})
const Provider = z.object({ name: line(200), npi: z.string().regex(/^\d{10}$/, 'Ten digits') })

export const Sender = z
  .object({
    application: Designator.describe('MSH-3, and whose numbers those of kits are.'),
    facility: Designator.describe('MSH-4.'),
    ordering: Ordering.describe('ORC-21 to ORC-24: who orders the tests.'),
    provider: Provider.optional().describe('ORC-12 where no provider approved the order of the kit.'),
  })
  .meta({ id: 'NotifiableSender' })
export type Sender = z.output<typeof Sender>

export const Settings = z.object({
  rules: z.array(NotifiableRule).describe('Also those that are off.'),
  authorities: z.array(Authority).describe('Also those that are off.'),
  sender: Sender.optional().describe('Absent: not said yet, so that nothing is sent.'),
})

export const Notice = z
  .object({
    id: z.string(),
    business: businessName,
    reportID: z.string().optional().describe('Absent: nothing of its kit could be judged yet.'),
    kitID: z.string().optional(),
    customerID: z.int(),
    condition: z.string().describe('Of the rule.'),
    person: z.string().optional().describe('Their name. Absent once they were erased.'),
    controlID: z.string().optional().describe('MSH-10 of the last message. Absent: none was sent.'),
    result: z.string().optional().describe('Its name and answer. Absent once its person was erased.'),
    authority: z.object({ id: z.string(), name: z.string() }).optional().describe('Absent: none is known.'),
    state: z.enum(states).describe('due: is being sent. sent: delivered, not answered. notTold: not to be told.'),
    reason: z.enum(reasons).optional(),
    sentence: said.optional().describe('`reason` in words, with what can be done.'),
    isCorrection: z.boolean().describe('The authority was told something else before.'),
    isOverdue: z.boolean().describe('Its time is over, and it is not told.'),
    mayUndo: z
      .boolean()
      .describe(
        'It is not told, by a person or because no rule asks for it, or was told by hand, and a person may undo that.',
      ),
    mayComplete: z.boolean().describe('A person may say what the message lacks of the sample.'),
    maySend: z.boolean().describe('A person may send it as it is.'),
    foundDate: timestamp,
    deadlineDate: timestamp,
    toldDate: timestamp.optional(),
    tries: z.int().describe('How often the message was sent.'),
    problems: z.array(z.string()).describe('What the message lacks, by the guide.'),
    note: z.string().optional().describe('What the authority answered, or how a person decided.'),
    message: z.string().optional().describe('Of a single one: what is sent next, or waits for its answer.'),
  })
  .meta({ id: 'Notice' })
export type Notice = z.input<typeof Notice>

export const Disclosure = z.object({
  condition: z.string().describe('Of the rule.'),
  authority: z.string().describe('Its name.'),
  toldDate: timestamp.describe('Last.'),
  controlID: z.string().optional().describe('Of the message. Absent: a person told it.'),
})

export const NoticeQuery = z.object({
  ...paging(50, 250),
  state: anyOf(states),
  isOpen: isTrue.optional().describe('Only those that are not told yet.'),
  businessID: anyOfTexts(50).describe('Of these businesses, by comma.'),
})
export const NoticePage = z.object({
  data: z.array(Notice),
  waitingMessages: z
    .object({
      count: z.int(),
      receivedDate: timestamp.describe('Of the oldest.'),
      deadlineDate: timestamp.describe('The first.'),
    })
    .optional()
    .describe("Laboratories' messages that wait for a person, and whose results may have to be told."),
  pagination: Pagination,
})
export const noticeParam = z.object({ noticeID: text(64).describe('The `id` of a notice.') })

export const NoticeDecision = z.discriminatedUnion('decision', [
  z.object({ decision: z.literal('send').describe('As it is.') }),
  z.object({
    decision: z.literal('toldByHand').describe('A person told it.'),
    date: dateOrTimestamp.describe('When.'),
    how: line(300).describe('Who told whom, and how. Nothing of the person.'),
  }),
  z.object({
    decision: z.literal('notToTell').describe('With the reason.'),
    reason: line(300).describe('Nothing of the person.'),
  }),
  z.object({
    decision: z
      .literal('undoNotToTell')
      .describe('It is told after all, or waits as before, though no rule asks for it.'),
  }),
  z.object({ decision: z.literal('undoToldByHand').describe('Nobody told it: it is told, or waits as before.') }),
  z.object({
    decision: z.literal('complete').describe('What the laboratory did not say of the sample.'),
    specimen: z.enum(specimenNames).optional().describe('What was taken.'),
    collectedDate: dateOrTimestamp.optional(),
    receivedDate: dateOrTimestamp.optional().describe('When the laboratory received it.'),
  }),
])
export type NoticeDecision = z.output<typeof NoticeDecision>
