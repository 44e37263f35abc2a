import type { FastifyInstance } from 'fastify'
import { newOpaqueId } from '../../domain/ids.ts'
import { preferred } from './accept.ts'
import type { ErrorBody } from './error-body.ts'
import { headersOf, type MessageHeader } from './hl7-header.ts'

export const HL7_TYPES = ['application/hl7-v2', 'x-application/hl7-v2+er7', 'application/hl7-v2+er7'] as const

interface Outcome {
  status: number
  /** What was refused. */
  error?: { code: string; message: string }
}

/**
 * The acknowledgements of messages, in ER7: in original mode AA, AE or AR, in enhanced mode (MSH-15 or MSH-16) what the sender asks
 * for. Empty where it asks for none. HL7 v2.8.2, chapter 2.9.
 */
export function acknowledgement(raw: Buffer, outcome: Outcome, now: Date): string {
  const headers = headersOf(raw)
  return (headers.length > 0 ? headers : [undefined]).map((header) => acknowledged(header, outcome, now)).join('')
}

function acknowledged(header: MessageHeader | undefined, { status, error }: Outcome, now: Date): string {
  const { separator: s = '|', delimiters = '^~\\&' } = header ?? {}
  const letter = lastLetterOf(header, status)
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
    ['MSA', `${mode}${letter}`, at(10), ...(error ? [escaped(error.message, marks)] : [])],
  ]
  if (error) {
    const [code, text] = reasonOf(header, status)
    const coded = [code, text, 'HL70357']
    const old = isSince(version, 2.5) ? '' : `${component.repeat(3)}${coded.join(subcomponent)}`
    segments.push([
      ...['ERR', old, code === UNSUPPORTED[0] ? ['MSH', '1', '9'].join(component) : '', coded.join(component), 'E'],
      ...[escaped(error.code, marks), '', '', escaped(error.message, marks)],
    ])
  }
  return segments.map((fields) => `${fields.join(s)}\r`).join('')
}

/** R: for reasons that have nothing to do with what the message says, or of a type that is not read here. */
function lastLetterOf(header: MessageHeader | undefined, status: number): 'A' | 'E' | 'R' {
  if (status < 400) return 'A'
  return [400, 409, 413, 422].includes(status) && header && isResults(header) ? 'E' : 'R'
}

/** A: an application acknowledgement, C: an accept acknowledgement. */
function modeOf(header: MessageHeader | undefined, letter: 'A' | 'E' | 'R'): 'A' | 'C' | undefined {
  const [accept = '', application = ''] = [header?.field(15).toUpperCase(), header?.field(16).toUpperCase()]
  if (!accept && !application) return 'A'
  const isWanted = (when: string) =>
    when === 'AL' || (when === 'SU' && letter === 'A') || (when === 'ER' && letter !== 'A')
  if (isWanted(accept)) return 'C'
  return isWanted(application) ? 'A' : undefined
}

const isResults = (header: MessageHeader): boolean => /^(ORU|OUL)\b/i.test(header.field(9)) || header.field(9) === ''

const UNSUPPORTED = ['200', 'Unsupported message type'] as const

/** HL7 table 0357. */
function reasonOf(header: MessageHeader | undefined, status: number): readonly [string, string] {
  if (header && !isResults(header)) return UNSUPPORTED
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

/** Answers in HL7 where the route acknowledges messages and the caller accepts HL7, also each refusal, also one of the edge. */
export function answerInHl7(api: FastifyInstance, now: () => Date): void {
  api.addHook('onSend', (request, reply, payload, done) => {
    const { accept = '' } = request.headers
    const isAsked = /hl7-v2/i.test(accept) && request.routeOptions.config.route?.acknowledgesHl7 === true
    if (!isAsked || typeof payload !== 'string') return done(null, payload)
    const type = preferred(accept, [...HL7_TYPES, 'application/json'])
    if (type === 'application/json') return done(null, payload)
    const { statusCode: status } = reply
    const error = status < 400 ? {} : { error: JSON.parse(payload) as typeof ErrorBody._output }
    reply.header('content-type', `${type}; charset=utf-8`).removeHeader('content-length')
    done(null, acknowledgement(request.rawBody ?? Buffer.alloc(0), { status, ...error }, now()))
  })
}
