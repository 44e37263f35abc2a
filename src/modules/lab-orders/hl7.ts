import { components, ESCAPES, escaped, named, providerOf, segment, timeOf } from '@kitlane/lab-reader/elr/write'
import { messageKind } from '../../platform/http/hl7.ts'
import { headersOf } from '../../platform/http/hl7-header.ts'
import type { OrderMessage } from './content.ts'
import type { LabOrderAction, Outcome } from './decision.ts'

const digits = (time: string): string => time.replaceAll(/\D/g, '')
/** A day, or the minute that somebody's clock showed: no more than they said. */
const collectedOf = (text: string): string => digits(text.slice(0, 16)) + text.slice(16).replace(':', '')

/** HL7 table 0119, and what a laboratory answers to each: done, and not. */
const controls: Record<LabOrderAction, { code: string; done: readonly string[]; not: readonly string[] }> = {
  new: { code: 'NW', done: ['OK', 'SC', 'IP', 'CM'], not: ['UA', 'OE', 'UC', 'CR', 'OC', 'DR', 'DE'] },
  change: { code: 'XO', done: ['XR', 'OK', 'SC', 'IP', 'CM', 'XX'], not: ['UX', 'UA', 'UC', 'CR', 'OC', 'DE'] },
  cancel: { code: 'CA', done: ['CR', 'OC', 'OK'], not: ['UC', 'UA', 'UX', 'DE'] },
}

/** An order as OML^O21 of HL7 2.5.1. */
export function omlOf({ controlId, action, at, content, laboratory }: OrderMessage): string {
  const { placerNumber, fillerNumber, kitId, person, test, collected, received, ordered, answers, approval } = content
  const { addressLine1, addressLine2, city, state, zip, country } = person
  const provider = approval ? providerOf(approval) : ''
  const numbers = { 2: escaped(placerNumber), 3: escaped(fillerNumber ?? '') }
  return [
    `MSH|^~\\&|KITLANE|${named(laboratory.sendingFacility)}|${named(laboratory.application)}|${named(laboratory.facility)}|${timeOf(at)}||OML^O21^OML_O21|${escaped(controlId)}|P|2.5.1||||||UNICODE UTF-8\r`,
    segment('PID', {
      1: '1',
      // No number of the person: the laboratory needs none, and kits of one person would be linked by it.
      3: components(kitId, '', '', 'KITLANE', 'PI'),
      5: components(person.lastName, person.firstName, '', '', '', '', 'L'),
      7: digits(person.dateOfBirth),
      8: person.sex ?? 'U',
      11: addressLine1 ? components(addressLine1, addressLine2, city, state, zip, country) : '',
      13: person.phone ? components('', 'PRN', 'PH', '', '', '', '', '', '', '', '', person.phone) : '',
    }),
    segment('ORC', { 1: controls[action].code, ...numbers, 9: timeOf(new Date(ordered)), 12: provider }),
    segment('OBR', {
      1: '1',
      ...numbers,
      4: components(test.code, test.name, test.codingSystem),
      7: collected === null ? '' : collectedOf(collected),
      16: provider,
    }),
    ...answers.map(({ code, text, codingSystem, value }, at) =>
      segment('OBX', {
        1: String(at + 1),
        2: 'ST',
        3: components(code, text, codingSystem),
        5: escaped(value),
        // HL7 table 0085: it belongs to the order, and is no result.
        11: 'O',
      }),
    ),
    segment('SPM', {
      1: '1',
      2: escaped(kitId),
      4: components(test.specimen, '', 'HL70487'),
      17: collected === null ? '' : collectedOf(collected),
      18: received === null ? '' : timeOf(new Date(received)),
    }),
  ].join('')
}

// EI of HL7 v2.5.1, chapter 2.A.28, and one more: results are read with as much.
export const MAX_NUMBER = 200

/** What an acknowledgement says. */
export interface Acknowledged {
  controlId: string
  /** undefined: nothing that counts; the message is sent again. */
  outcome: Outcome | undefined
  code: string
  fillerNumber?: string
  /** ORC-2, where it is said. */
  placerNumber?: string
  reason?: string
  /** As it came. */
  answer?: string
  /** A person says it, such as after a telephone call. */
  isByHand?: true
}

interface Segment {
  name: string
  field(number: number): string
}

const unescapes = Object.fromEntries(Object.entries(ESCAPES).map(([mark, letter]) => [letter, mark]))

/** The first acknowledgement in a text, such as ORL^O22 or ACK; undefined if it has none. HL7 v2.5.1, chapters 2.9 and 4.4.7. */
export function acknowledgedIn(text: string, action: LabOrderAction): Acknowledged | undefined {
  const [header] = headersOf(Buffer.from(text))
  if (!header) return undefined
  const separator = header.separator
  const component = header.delimiters[0] ?? '^'
  const segments = text.split(/[\r\n]+/).map((line): Segment => {
    const fields = line.trim().split(separator)
    return { name: fields[0]?.toUpperCase() ?? '', field: (number) => fields[number]?.trim() ?? '' }
  })
  const of = (name: string) => segments.find((one) => one.name === name)
  const plain = (field: string | undefined) =>
    (field ?? '').replaceAll(/\\([FSRET])\\/g, (_, letter: string) => unescapes[letter] ?? '')
  const msa = of('MSA')
  if (!msa) return undefined
  const [err, orc] = [of('ERR'), of('ORC')]
  const placer = plain(orc?.field(2).split(component)[0])
  const filler = plain(orc?.field(3).split(component)[0])
  const [condition = ''] = (err?.field(3) ?? '').split(component)
  const reason = [err?.field(8), err?.field(7), msa.field(3), err?.field(3).split(component)[1], orc?.field(16)]
    .map(plain)
    .find(Boolean)
  const code = [msa.field(1).toUpperCase(), orc?.field(1).toUpperCase() ?? '', condition].filter(Boolean).join(' ')
  return {
    controlId: plain(msa.field(2)),
    outcome: outcomeOf(msa.field(1).toUpperCase(), orc?.field(1).toUpperCase(), { condition, action }),
    code: code.slice(0, 60),
    ...(filler && filler.length <= MAX_NUMBER && { fillerNumber: filler }),
    ...(placer && { placerNumber: placer }),
    ...(reason && { reason: reason.slice(0, 1000) }),
  }
}

// HL7 table 0357: the application record is locked, an internal error.
const PASSING = ['206', '207']

/** HL7 table 0008. A rejection (AR) for a reason of the laboratory's own is none of the order's. */
function outcomeOf(
  code: string,
  control: string | undefined,
  { condition, action }: { condition: string; action: LabOrderAction },
): Outcome | undefined {
  const { done, not } = controls[action]
  if (code === 'AA') {
    if (!control || done.includes(control)) return 'accepted'
    return not.includes(control) ? 'refused' : 'received'
  }
  if (code === 'CA') return 'received'
  if (!['AE', 'AR', 'CE', 'CR'].includes(code)) return undefined
  // An order that the laboratory does not know stands nowhere. HL7 table 0357: 204, unknown key identifier.
  if (action === 'cancel' && condition === '204') return 'accepted'
  return code.endsWith('R') && PASSING.includes(condition) ? undefined : 'refused'
}

/** The route that takes a laboratory's message in: its results, or what it answers to an order. */
export const takenInAt = (raw: Buffer): string =>
  messageKind(raw) === 'answer' ? '/operator/v1/lab-orders/answers' : '/operator/v1/lab/results'
