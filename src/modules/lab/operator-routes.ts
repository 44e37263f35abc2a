import { differencesOf, identityOf } from '@kitlane/lab-reader/parse/person'
import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { kitId } from '../../domain/id-fields.ts'
import { type SystemTx, within } from '../../platform/database/tx.ts'
import { anyOfOr, anyText, paging } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { internalKitType } from '../catalogue/kit-type.ts'
import { biomarkers, findPanel } from '../catalogue/service.ts'
import { sampleStatuses } from '../kits/lifecycle.ts'
import { realmOfKit } from '../kits/locate.ts'
import { findKit } from '../kits/records.ts'
import { KitRecord } from '../kits/schema.ts'
import { StatementEffect } from '../reports/unassessed/schema.ts'
import { assignMessage, discardMessage, undoAssignment } from './messages/close.ts'
import { personOf } from './messages/difference.ts'
import { listMessages, shownOutcome } from './messages/list.ts'
import { parseMessage } from './messages/parse.ts'
import { lockMessage } from './messages/queries.ts'
import { receiveMessage } from './messages/receive.ts'
import * as samples from './messages/samples.ts'
import { findLiveKit } from './messages/samples.ts'
import {
  AssignMessage,
  DiscardedMessage,
  LabAnswer,
  LabMessage,
  LabResults,
  MessageOutcome,
  PeopleCompared,
  ReceiveSample,
  RejectSample,
} from './messages/schema.ts'

const EntryForm = z
  .object({
    kitID: z.string(),
    kitType: z.string(),
    panelName: z.string(),
    sampleStatus: z.enum(sampleStatuses),
    biomarkers: z.array(
      z.object({
        name: z.string().describe('Under which a result is sent in.'),
        loinc: z.string().optional(),
        unit: z.string().describe('The unit in which it is kept, in UCUM. Others are converted.'),
      }),
    ),
  })
  .meta({ id: 'ResultEntryForm' })
type EntryForm = z.infer<typeof EntryForm>

/** What a laboratory measures of a kit, to be filled in by hand: nothing of its person. @throws KIT_NOT_FOUND */
async function entryForm(tx: SystemTx, kitId: string): Promise<EntryForm> {
  const inRealm = within(tx, await realmOfKit(tx, kitId))
  const { kitID, kitType, sampleStatus } = await findKit(inRealm, kitId)
  const panel = await findPanel(inRealm, internalKitType(kitType))
  const known = new Map((await biomarkers(tx)).map((biomarker) => [biomarker.id, biomarker]))
  return {
    kitID,
    kitType,
    panelName: panel.name,
    sampleStatus,
    biomarkers: panel.biomarkers.flatMap((id) => {
      const biomarker = known.get(id)
      if (!biomarker) return []
      const { label, loinc, unit } = biomarker
      return [{ name: label, ...(loinc && { loinc }), unit }]
    }),
  }
}

/** The person whom a message that waits names, beside the one who registered a kit. @throws MESSAGE_NOT_FOUND, KIT_NOT_FOUND */
async function comparePeople(tx: SystemTx, id: string, kitID: string) {
  const message = await lockMessage(tx, id)
  if (message?.status !== 'waiting') throw new AppError('MESSAGE_NOT_FOUND', 'There is no such message that waits')
  const person = personOf(await findLiveKit(tx, kitID))
  const { patient } = message.parsed
  return {
    kitID,
    ...(patient && { patient: identityOf(patient) }),
    ...(person && { person }),
    differences: differencesOf(patient, person),
  }
}

const tag = 'Operator: laboratory'

export const receiveSample = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/samples/receive',
  tag,
  summary: 'Receive a sample',
  effects: [],
  description:
    'A kit whose box came back, or never arrived, is 409 `KIT_NEVER_ARRIVED`: look into the box, and send `confirm` if there is a sample in it.',
  scope: 'lab',
  body: ReceiveSample,
  answers: { 200: KitRecord },
  errors: ['KIT_NOT_FOUND', 'KIT_NEVER_ARRIVED', 'ILLEGAL_TRANSITION'],
  accesses: { changes: 'kit', ids: ({ kitID }) => [kitID] },
  handler: async ({ tx, body }) => {
    const at = body.receivedDate === undefined ? undefined : new Date(body.receivedDate)
    return { status: 200, body: await samples.receiveSample(tx, { ...body, at }) }
  },
})

export const rejectSample = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/samples/reject',
  tag,
  summary: 'Reject a sample',
  effects: [],
  scope: 'lab',
  body: RejectSample,
  answers: { 200: KitRecord },
  errors: ['KIT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  accesses: { changes: 'kit', ids: ({ kitID }) => [kitID] },
  handler: async ({ tx, body }) => ({ status: 200, body: await samples.rejectSample(tx, body) }),
})

export const undoSampleRejection = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/samples/undo-rejection',
  tag,
  summary: 'Take back the rejection of a sample',
  effects: ['publishes'],
  description:
    'Until a replacement is sent. The kit is where it was before, a report that was ready is in review again, its critical results are open again, and what the laboratory sent meanwhile counts.',
  scope: 'lab',
  body: z.object({ kitID: kitId }),
  answers: { 200: KitRecord },
  errors: ['KIT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  accesses: { changes: 'kit', ids: ({ kitID }) => [kitID] },
  handler: async ({ tx, body }) => ({ status: 200, body: await samples.undoRejection(tx, body.kitID) }),
})

export const getResultEntryForm = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/lab/kits/:kitID/form',
  tag,
  summary: 'Get what a laboratory measures of a kit',
  description: 'To enter results by hand: the biomarkers of its panel, each with its unit. Nothing of its person.',
  scope: 'lab',
  params: z.object({ kitID: kitId }),
  answers: { 200: EntryForm },
  errors: ['KIT_NOT_FOUND'],
  handler: async ({ tx, params }) => ({ status: 200, body: await entryForm(tx, params.kitID) }),
})

export const sendLabResults = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/lab/results',
  tag,
  summary: 'Send results in',
  effects: ['publishes'],
  description:
    'As JSON, as FHIR R4 (application/fhir+json) or as HL7 v2 ORU^R01 (application/hl7-v2, application/edi-hl7 or text/plain). Partial, final and corrected results of one sample are versions of one report. What cannot be put on a kit for sure waits in the queue. `Accept: application/hl7-v2` (or `x-application/hl7-v2+er7`) is answered with an HL7 acknowledgement of each message: MSA, and ERR of what is refused; the HTTP status is the same.',
  acknowledgesHl7: true,
  scope: ['lab', 'results'],
  body: z.union([LabResults, z.string()]),
  bodyLimitBytes: 2 * 1024 * 1024,
  answers: { 200: LabAnswer },
  errors: ['FILE_NOT_READABLE', 'ILLEGAL_TRANSITION'],
  prepare: ({ body }, { callerId }) => parseMessage(body, callerId),
  handler: async ({ tx, body, access, prepared: message }) => {
    const reports = await receiveMessage(tx, { source: access.callerId, body, message })
    return { status: 200, body: { reports: reports.map(shownOutcome), notes: message.notes } }
  },
})

export const listLabMessages = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/lab/messages',
  tag,
  summary: 'List messages that wait',
  description: 'Results that could not be put on a kit for sure, oldest first.',
  scope: 'lab',
  query: z.object({ ...paging(50, 250), status: anyOfOr(['waiting', 'assigned', 'discarded'], 'waiting') }),
  answers: { 200: z.array(LabMessage) },
  accesses: { lists: 'lab_message', ids: (waiting) => waiting.map(({ id }) => id) },
  handler: async ({ tx, query }) => ({ status: 200, body: await listMessages(tx, query) }),
})

const messageParams = z.object({ messageID: anyText(64) })

export const compareLabMessage = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/lab/messages/:messageID/kits/:kitID',
  tag,
  summary: 'Compare the person of a message with that of a kit',
  description:
    'Before a message is put on a kit: whom the message names, who registered the kit, and where they differ.',
  scope: 'lab',
  params: messageParams.extend({ kitID: kitId }),
  answers: { 200: PeopleCompared },
  errors: ['MESSAGE_NOT_FOUND', 'KIT_NOT_FOUND'],
  accesses: { reads: 'kit', ids: ({ kitID }) => [kitID] },
  handler: async ({ tx, params }) => ({
    status: 200,
    body: await comparePeople(tx, params.messageID, params.kitID),
  }),
})

export const assignLabMessage = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/lab/messages/:messageID/assign',
  tag,
  summary: 'Put a waiting message on a kit',
  effects: ['publishes'],
  description:
    'Refused where the person of the kit differs from the one whom the message names in name, date of birth or sex, unless `differences` says so; the report then waits for a reviewer. It can be undone for 30 days.',
  scope: 'lab',
  params: messageParams,
  body: AssignMessage,
  answers: { 200: MessageOutcome },
  errors: ['MESSAGE_NOT_FOUND', 'KIT_NOT_FOUND', 'ILLEGAL_TRANSITION', 'PERSON_DIFFERS'],
  accesses: { changes: 'lab_message', id: ({ params }) => params.messageID },
  handler: async ({ tx, params, body }) => ({
    status: 200,
    body: shownOutcome(await assignMessage(tx, params.messageID, body)),
  }),
})

export const undoLabMessage = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/lab/messages/:messageID/undo',
  tag,
  summary: 'Take a message off the kit that it was put on',
  effects: ['publishes'],
  description:
    'Within 30 days. What it made is withdrawn: a new version of the report shows what stood there before, results that came later stay, and readers of a published report are told. The message waits again.',
  scope: 'lab',
  params: messageParams,
  answers: { 200: z.object({ kitID: z.string(), reportID: z.string().optional() }) },
  errors: ['MESSAGE_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  accesses: { changes: 'lab_message', id: ({ params }) => params.messageID },
  handler: async ({ tx, params }) => ({ status: 200, body: await undoAssignment(tx, params.messageID) }),
})

export const discardLabMessage = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/lab/messages/:messageID/discard',
  tag,
  summary: 'Discard a waiting message',
  effects: [],
  scope: 'lab',
  params: messageParams,
  body: DiscardedMessage.optional(),
  answers: { 200: StatementEffect.extend({ message: z.string() }) },
  errors: ['MESSAGE_NOT_FOUND'],
  accesses: { changes: 'lab_message', id: ({ params }) => params.messageID },
  handler: async ({ tx, params, body = {} }) => {
    const effect = await discardMessage(tx, params.messageID, body)
    return { status: 200, body: { message: 'The message was discarded', ...effect } }
  },
})
