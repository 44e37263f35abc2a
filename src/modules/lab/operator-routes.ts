import { z } from 'zod'
import { AppError } from '../../domain/errors.ts'
import { kitId } from '../../domain/id-fields.ts'
import { sha256 } from '../../platform/crypto.ts'
import { anyText, paging } from '../../platform/http/fields.ts'
import { defineRoute } from '../../platform/http/route.ts'
import { KitRecord } from '../kits/schema.ts'
import * as messages from './messages/receive.ts'
import {
  LabAnswer,
  LabMessage,
  type LabResult,
  LabResults,
  MessageOutcome,
  ReceiveSample,
  RejectSample,
} from './messages/schema.ts'
import { type Commas, commasIn, flagOf, isUncertain, offScale, rangeOf, readSent } from './parse/number.ts'
import { parseInChild } from './parse/parse-in-child.ts'
import type { Observation, ParsedReport } from './parse/parsed.ts'
import { Refusal } from './parse/refusal.ts'

const tag = 'Operator: laboratory'

export const receiveSample = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/samples/receive',
  tag,
  summary: 'Receive a sample',
  scope: 'lab',
  body: ReceiveSample,
  answers: { 200: KitRecord },
  errors: ['KIT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  accesses: { changes: 'kit', ids: ({ kitID }) => [kitID] },
  handler: async ({ tx, body }) => {
    const at = body.receivedDate === undefined ? undefined : new Date(body.receivedDate)
    return { status: 200, body: await messages.receiveSample(tx, { ...body, at }) }
  },
})

export const rejectSample = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/samples/reject',
  tag,
  summary: 'Reject a sample',
  scope: 'lab',
  body: RejectSample,
  answers: { 200: KitRecord },
  errors: ['KIT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  accesses: { changes: 'kit', ids: ({ kitID }) => [kitID] },
  handler: async ({ tx, body }) => ({ status: 200, body: await messages.rejectSample(tx, body) }),
})

export const sendLabResults = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/lab/results',
  tag,
  summary: 'Send results in',
  description:
    'As JSON, as FHIR R4 (application/fhir+json) or as HL7 v2 ORU^R01 (application/hl7-v2 or text/plain). Partial, final and corrected results of one sample are versions of one report. What cannot be put on a kit for sure waits in the queue.',
  scope: 'lab',
  body: z.union([LabResults, z.string()]),
  bodyLimitBytes: 2 * 1024 * 1024,
  answers: { 200: LabAnswer },
  errors: ['FILE_NOT_READABLE', 'ILLEGAL_TRANSITION'],
  prepare: async ({ body }, { callerId }) => (typeof body === 'string' ? read(body, callerId) : fromJson(body)),
  handler: async ({ tx, body, access, prepared: { format, reports, notes } }) => {
    const first = sha256(`0\n${typeof body === 'string' ? body : JSON.stringify(body)}`)
    const taken: MessageOutcome[] = []
    for (const [index, report] of reports.entries()) {
      // A message may hold thousands of reports: it is hashed once, not once for each.
      const fingerprint = index === 0 ? first : sha256(`${index}\n${first.toString('hex')}`)
      taken.push(await messages.receiveMessage(tx, { source: access.callerId, format, fingerprint, report }))
    }
    return { status: 200, body: { reports: taken, notes } }
  },
})

interface Read {
  format: string
  reports: ParsedReport[]
  notes: string[]
}

async function read(text: string, owner: string): Promise<Read> {
  try {
    return await parseInChild(Buffer.from(text), { owner, maxPages: 1 })
  } catch (err) {
    if (!(err instanceof Refusal)) throw err
    if (err.code === 'BUSY') throw new AppError('OVERLOADED', err.message, { cause: err })
    throw new AppError('FILE_NOT_READABLE', err.message, {
      details: [{ message: err.message, code: err.code }],
      cause: err,
    })
  }
}

function fromJson(body: LabResults): Read {
  const { kitID: kitId, results, ...rest } = body
  const commas = commasIn(
    results.flatMap(({ value, rangeText = '' }) => [typeof value === 'string' ? value : '', rangeText]),
  )
  return {
    format: 'json',
    reports: [{ ...rest, kitId, observations: results.map((result, index) => toObservation(result, index, commas)) }],
    notes: [],
  }
}

const statuses = {
  final: 'final',
  corrected: 'corrected',
  preliminary: 'preliminary',
  withdrawn: 'entered-in-error',
  canceled: 'cancelled',
} as const

function toObservation(result: LabResult, index: number, commas: Commas): Observation {
  const { name, loinc, value = '', unit, comparator, rangeLow, rangeHigh, rangeText, flag, status = 'final' } = result
  const read = typeof value === 'number' ? { value } : readSent(value, commas)
  const reading = read.value !== undefined && {
    ...read,
    comparator: offScale(read.comparator ?? comparator, [flag ?? '']),
  }
  const isDoubtful = typeof value === 'string' && !reading && isUncertain(value, commas)
  const hasRange = typeof rangeLow === 'number' || typeof rangeHigh === 'number'
  const range =
    rangeOf(rangeText, unit, commas) ?? (hasRange ? { low: rangeLow ?? null, high: rangeHigh ?? null } : undefined)
  const isUsable = status !== 'withdrawn' && status !== 'canceled'
  return {
    name: name ?? loinc ?? '',
    loinc,
    valueText: String(value),
    ...(isUsable && reading),
    ...(isDoubtful && { doubt: 'uncertainNumber' as const }),
    unit,
    ...(range && { range }),
    ...(rangeText && { rangeText }),
    flag: flagOf([flag ?? '']),
    status: statuses[status],
    position: `results.${index}`,
    raw: `${name ?? loinc} ${value} ${unit}`,
  }
}

export const listLabMessages = defineRoute({
  audience: 'operator',
  method: 'GET',
  path: '/lab/messages',
  tag,
  summary: 'List messages that wait',
  description: 'Results that could not be put on a kit for sure, oldest first.',
  scope: 'lab',
  query: z.object({ ...paging(50, 250), status: z.enum(['waiting', 'assigned', 'discarded']).default('waiting') }),
  answers: { 200: z.array(LabMessage) },
  accesses: { lists: 'lab_message', ids: (waiting) => waiting.map(({ id }) => id) },
  handler: async ({ tx, query }) => ({ status: 200, body: await messages.listMessages(tx, query) }),
})

const messageParams = z.object({ messageID: anyText(64) })

export const assignLabMessage = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/lab/messages/:messageID/assign',
  tag,
  summary: 'Put a waiting message on a kit',
  scope: 'lab',
  params: messageParams,
  body: z.object({ kitID: kitId }),
  answers: { 200: MessageOutcome },
  errors: ['MESSAGE_NOT_FOUND', 'KIT_NOT_FOUND', 'ILLEGAL_TRANSITION'],
  accesses: { changes: 'lab_message', id: ({ params }) => params.messageID },
  handler: async ({ tx, params, body }) => ({
    status: 200,
    body: await messages.assignMessage(tx, params.messageID, body.kitID),
  }),
})

export const discardLabMessage = defineRoute({
  audience: 'operator',
  method: 'POST',
  path: '/lab/messages/:messageID/discard',
  tag,
  summary: 'Discard a waiting message',
  scope: 'lab',
  params: messageParams,
  answers: { 200: z.object({ message: z.string() }) },
  errors: ['MESSAGE_NOT_FOUND'],
  accesses: { changes: 'lab_message', id: ({ params }) => params.messageID },
  handler: async ({ tx, params }) => {
    await messages.discardMessage(tx, params.messageID)
    return { status: 200, body: { message: 'The message was discarded' } }
  },
})
