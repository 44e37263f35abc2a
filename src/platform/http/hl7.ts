import type { FastifyInstance } from 'fastify'
import { newOpaqueId } from '../../domain/ids.ts'
import { preferred } from './accept.ts'
import { headersOf, type MessageHeader } from './hl7-header.ts'

export const HL7_TYPES = [
  'application/hl7-v2',
  'x-application/hl7-v2+er7',
  'application/hl7-v2+er7',
  'application/edi-hl7',
  'application/hl7',
  'text/hl7',
] as const

interface Outcome {
  status: number
  /** What was refused. */
  error?: Refused
}

type Refused = { code: string; message: string; details?: { message: string }[] }

/** What became of each message of a body, by the answer of its route: all of them the same, or each its own. */
export function outcomesOf(status: number, payload: string): Outcome | Outcome[] {
  const answer: unknown = JSON.parse(payload)
  if (status >= 400) return { status, error: answer as Refused }
  const each = Array.isArray(answer) ? (answer as { error?: Refused & { status: number } }[]) : []
  if (each.every(({ error }) => !error)) return { status }
  return each.map(({ error }) => (error ? { status: error.status, error } : { status }))
}

/**
 * The acknowledgements of messages, in ER7: in original mode AA, AE or AR, in enhanced mode (MSH-15 or MSH-16) what the sender asks
 * for. Empty where it asks for none. HL7 v2.8.2, chapter 2.9.
 */
export function acknowledgement(raw: Buffer, outcome: Outcome | Outcome[], now: Date): string {
  const headers = headersOf(raw)
  const first = kindOf(headers[0])
  return (headers.length > 0 ? headers : [undefined])
    .map((header, at) => {
      const own = Array.isArray(outcome) ? outcome[at] : outcome
      return acknowledged(header, first, own ?? { status: 200 }, now)
    })
    .join('')
}

/** What the first message is, by its type; undefined for one that is not read here. */
export const messageKind = (raw: Buffer): Kind => kindOf(headersOf(raw)[0])

function acknowledged(header: MessageHeader | undefined, first: Kind, outcome: Outcome, now: Date): string {
  const { status, error = leftOut(header, first) } = outcome
  const { separator: s = '|', delimiters = '^~\\&' } = header ?? {}
  const letter = lastLetterOf(header, status, error !== undefined)
  const mode = modeOf(header, letter)
  if (!mode) return ''
  const at = (field: number) => header?.field(field) ?? ''
  const version = at(12) || '2.5.1'
  const [component = '^', , escapeMark = '\\', subcomponent = '&'] = delimiters
  const marks = { separator: s, delimiters, escape: escapeMark }
  const trigger = at(9).split(component)[1] ?? ''
  const type = [
    'ACK',
    ...(trigger && isSince(version, 2.3) ? [trigger, ...(isSince(version, 2.4) ? ['ACK'] : [])] : []),
  ]
  const segments = [
    [
      ...[`MSH${s}${delimiters}`, at(5), at(6), at(3), at(4), timeOf(now), '', type.join(component)],
      ...[newOpaqueId('ack').slice(0, 20), at(11) || 'P', version],
      ...(isSince(version, 2.3) ? ['', '', '', '', '', 'UNICODE UTF-8'] : []),
    ],
    ['MSA', `${mode}${letter}`, at(10), ...(error ? [escaped(sentenceOf(error), marks)] : [])],
  ]
  if (error) {
    const [code, text, ...field] = reasonOf(header, status)
    const coded = [code, text, 'HL70357']
    const old = isSince(version, 2.5) ? '' : `${component.repeat(3)}${coded.join(subcomponent)}`
    segments.push([
      ...['ERR', old, field[1] ? [field[0], '1', field[1]].join(component) : '', coded.join(component), 'E'],
      ...[escaped(error.code, marks), '', '', escaped(sentenceOf(error), marks)],
    ])
  }
  return segments.map((fields) => `${fields.join(s)}\r`).join('')
}

/** The details say what the sentence leaves out, such as that the header with the token is missing. */
const sentenceOf = ({ message, details: [first] = [] }: Refused): string =>
  first && !message.includes(first.message) ? `${message}: ${first.message}` : message

type Kind = 'results' | 'answer' | undefined

const kindOf = (header: MessageHeader | undefined): Kind =>
  /^(ORU|OUL)\b/i.test(header?.field(9) ?? '')
    ? 'results'
    : /^(ORL|ORR|ORG|ACK)\b/i.test(header?.field(9) ?? '')
      ? 'answer'
      : undefined

/** Of a body with results, the reader leaves out each message of another type. */
const leftOut = (header: MessageHeader | undefined, first: Kind): Refused | undefined =>
  header && (kindOf(header) === undefined || kindOf(header) !== (first ?? 'results'))
    ? { code: 'FILE_NOT_READABLE', message: 'Only messages with results (ORU, OUL) are read: this one was left out' }
    : undefined

/** R: for reasons that have nothing to do with what the message says, or of a type that is not read here. */
function lastLetterOf(header: MessageHeader | undefined, status: number, isRefused: boolean): 'A' | 'E' | 'R' {
  if (!isRefused) return 'A'
  return [400, 409, 413, 422].includes(status) && kindOf(header) !== undefined ? 'E' : 'R'
}

/** HL7 table 0155. */
const CONDITIONS = ['AL', 'NE', 'ER', 'SU']

/** A: an application acknowledgement, C: an accept acknowledgement. An unknown condition counts as empty, such as `""`. */
function modeOf(header: MessageHeader | undefined, letter: 'A' | 'E' | 'R'): 'A' | 'C' | undefined {
  const [accept, application] = [15, 16].map((number) => {
    const sent = header?.field(number).toUpperCase() ?? ''
    return CONDITIONS.includes(sent) ? sent : undefined
  })
  if (!accept && !application) return 'A'
  const isWanted = (when: string | undefined) =>
    when === 'AL' || (when === 'SU' && letter === 'A') || (when === 'ER' && letter !== 'A')
  if (isWanted(accept)) return 'C'
  return isWanted(application) ? 'A' : undefined
}

/** HL7 table 0357, and the segment and field that it is about. Only 207 says that the same may be taken later. */
function reasonOf(header: MessageHeader | undefined, status: number): readonly [string, string, string?, string?] {
  if (header && header.field(9) === '') return ['101', 'Required field missing', 'MSH', '9']
  if (header && kindOf(header) === undefined) return ['200', 'Unsupported message type', 'MSH', '9']
  if (header && (status === 401 || status === 403)) return ['204', 'Unknown key identifier', 'MSH', '8']
  if (kindOf(header) === 'answer' && status === 404) return ['204', 'Unknown key identifier', 'MSA', '2']
  if (kindOf(header) === 'answer' && status === 422) return ['101', 'Required field missing', 'MSA', '2']
  return !header && status < 401 ? ['100', 'Segment sequence error'] : ['207', 'Application internal error']
}

const isSince = (version: string, since: number): boolean => Number.parseFloat(version) >= since

const timeOf = (now: Date): string => `${now.toISOString().slice(0, 19).replaceAll(/\D/g, '')}+0000`

function escaped(text: string, marks: { separator: string; delimiters: string; escape: string }): string {
  const [component, repetition, , subcomponent] = marks.delimiters
  const letters = new Map([
    ...([[marks.separator, 'F']] as const),
    ...([component, repetition, marks.escape, subcomponent] as const).map(
      (mark, index) => [mark, 'SRET'[index]] as const,
    ),
  ])
  const plain = [...text.replaceAll(/[\p{Cc}\s]+/gu, ' ')]
  return plain.map((one) => (letters.has(one) ? `${marks.escape}${letters.get(one)}${marks.escape}` : one)).join('')
}

const namedIn = (accept: string): string[] => accept.toLowerCase().split(/[,;\s]+/)

/** Answers in HL7 where the route acknowledges messages and the caller accepts HL7, also each refusal, also one of the edge. */
export function answerInHl7(api: FastifyInstance, now: () => Date): void {
  api.addHook('onSend', (request, reply, payload, done) => {
    const { accept = '' } = request.headers
    const acceptsHl7 = /hl7/i.test(accept) && request.routeOptions.config.route?.acknowledgesHl7 === true
    if (!acceptsHl7 || typeof payload !== 'string') return done(null, payload)
    const type = preferred(accept, [...HL7_TYPES, 'application/json'])
    // `*/*` asks for no HL7.
    if (!HL7_TYPES.some((one) => one === type && namedIn(accept).includes(one))) return done(null, payload)
    const outcome = outcomesOf(reply.statusCode, payload)
    reply.header('content-type', `${type}; charset=utf-8`).removeHeader('content-length')
    done(null, acknowledgement(request.rawBody ?? Buffer.alloc(0), outcome, now()))
  })
}
