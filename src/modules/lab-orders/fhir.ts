import { z } from 'zod'
import { timestampOf } from '../collection/time.ts'
import { requesterOf } from '../reports/render/fhir.ts'
import type { OrderMessage } from './content.ts'
import type { LabOrderAction } from './decision.ts'
import { type Acknowledged, MAX_NUMBER } from './hl7.ts'

/** The system of kit IDs and order numbers in identifiers. */
const SYSTEM = 'urn:kitlane'

const systemOf = (codingSystem: string): string | undefined => (codingSystem === 'LN' ? 'http://loinc.org' : undefined)

/**
 * An order as a transaction of FHIR R4: each resource is put under its own identifier, so that the same again changes nothing.
 * A cancellation has the status `revoked`.
 */
export function bundleOf({ action, at, content }: OrderMessage): string {
  const { placerNumber, kitId, person, test, collected, received, ordered, answers, approval } = content
  const { addressLine1, addressLine2, city, state, zip, country } = person
  const place = { line: [addressLine1, addressLine2].filter(Boolean), city, state, postalCode: zip, country }
  const identified = (kind: string, value: string) => ({ identifier: [{ system: `${SYSTEM}:${kind}`, value }] })
  const coding = { system: systemOf(test.codingSystem), code: test.code, display: test.name }
  const patient = {
    resourceType: 'Patient',
    ...identified('kit', kitId),
    name: [{ family: person.lastName, given: [person.firstName] }],
    gender: person.sex === 'M' ? 'male' : person.sex === 'F' ? 'female' : 'unknown',
    birthDate: person.dateOfBirth,
    ...(addressLine1 && { address: [place] }),
    ...(person.phone && { telecom: [{ system: 'phone', value: person.phone }] }),
  }
  const specimen = {
    resourceType: 'Specimen',
    ...identified('kit', kitId),
    type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0487', code: test.specimen }] },
    subject: { reference: entryOf('patient') },
    ...(received !== null && { receivedTime: received }),
    ...(collected !== null && { collection: { collectedDateTime: timestampOf(collected) } }),
  }
  const request = {
    resourceType: 'ServiceRequest',
    ...identified('order', placerNumber),
    status: action === 'cancel' ? 'revoked' : 'active',
    intent: 'order',
    code: { coding: [coding] },
    subject: { reference: entryOf('patient') },
    specimen: [{ reference: entryOf('specimen') }],
    authoredOn: ordered,
    ...(approval && { requester: requesterOf(approval) }),
    ...(answers.length > 0 && {
      supportingInfo: answers.map((_, index) => ({ reference: entryOf(`answer-${index}`) })),
    }),
  }
  const questions = answers.map(({ code, text, codingSystem, value }, index) => ({
    resourceType: 'Observation',
    ...identified('answer', `${placerNumber}-${index + 1}`),
    status: 'final',
    code: { coding: [{ system: systemOf(codingSystem), code, display: text }] },
    subject: { reference: entryOf('patient') },
    valueString: value,
  }))
  const entries = [
    ...[entry('patient', patient), entry('specimen', specimen)],
    ...questions.map((question, index) => entry(`answer-${index}`, question)),
    entry('request', request),
  ]
  return JSON.stringify({ resourceType: 'Bundle', type: 'transaction', timestamp: at.toISOString(), entry: entries })
}

const entryOf = (name: string): string => `urn:kitlane:entry:${name}`

function entry(name: string, resource: { resourceType: string; identifier: { system: string; value: string }[] }) {
  const [{ system = '', value = '' } = {}] = resource.identifier
  return {
    fullUrl: entryOf(name),
    resource,
    request: { method: 'PUT', url: `${resource.resourceType}?identifier=${encodeURIComponent(`${system}|${value}`)}` },
  }
}

const Issue = z.object({
  severity: z.string().optional(),
  diagnostics: z.string().optional(),
  details: z.object({ text: z.string().optional() }).optional(),
})
const Response = z.object({
  status: z.string().optional(),
  outcome: z.object({ issue: z.array(Issue).optional() }).optional(),
})
const Resource = z.object({
  resourceType: z.string(),
  status: z.string().optional(),
  identifier: z.array(z.object({ system: z.string().optional(), value: z.string().optional() })).optional(),
})
const Answer = z.object({
  resourceType: z.string(),
  type: z.string().optional(),
  entry: z.array(z.object({ response: Response.optional(), resource: Resource.optional() })).optional(),
  issue: z.array(Issue).optional(),
})

// What says something of the order. Any other status is about the way there: the message is sent again.
const REFUSALS = [400, 409, 410, 412, 415, 422]

interface SentBundle {
  controlId: string
  action: LabOrderAction
  body: string | null
}

/** What a FHIR server answers to the transaction. Only its response to each entry of the transaction accepts an order. */
export function answerOfFhir(
  { controlId, action, body: sent }: SentBundle,
  status: number,
  body: string,
): Acknowledged {
  const read = Answer.safeParse(parsed(body)).data
  const responses = read?.entry?.flatMap(({ response }) => response ?? []) ?? []
  const issues = [...(read?.issue ?? []), ...responses.flatMap(({ outcome }) => outcome?.issue ?? [])]
  const [reason] = issues.flatMap(({ details, diagnostics }) => details?.text ?? diagnostics ?? [])
  const said = { controlId, code: `HTTP ${status}`, ...(reason && { reason: reason.slice(0, 1000) }) }
  const isRefused =
    responses.some((one) => /^[45]/.test(one.status ?? '')) ||
    issues.some(({ severity = '' }) => ['error', 'fatal'].includes(severity))
  if (status < 200 || status >= 300) return { ...said, outcome: REFUSALS.includes(status) ? 'refused' : undefined }
  if (isRefused) return { ...said, outcome: 'refused' }
  const request = read?.entry?.find(({ resource }) => resource?.resourceType === 'ServiceRequest')?.resource
  const isEnded = action !== 'cancel' && ['revoked', 'entered-in-error'].includes(request?.status ?? '')
  const isWhole =
    responses.length === Answer.safeParse(parsed(sent ?? '')).data?.entry?.length &&
    responses.every((one) => /^(2\d\d|304)\b/.test(one.status ?? ''))
  if (read?.resourceType === 'Bundle' && read.type === 'transaction-response' && isWhole && !isEnded) {
    // The logical ID of a resource is no number: each server counts its own.
    const own = request?.identifier?.find(({ system = '', value }) => value && !system.startsWith(`${SYSTEM}:`))?.value
    return { ...said, outcome: 'accepted', ...(own && own.length <= MAX_NUMBER && { fillerNumber: own }) }
  }
  return { ...said, outcome: status === 202 && body.trim() === '' ? 'received' : undefined }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
