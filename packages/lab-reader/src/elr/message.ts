import { findingText } from '@kitlane/display/finding'
import { intervalText } from '@kitlane/display/interval'
import { expectedText } from '@kitlane/display/report-text'
import { snomedOf } from '../facts/answer-codes.ts'
import type { Finding } from '../facts/finding-schema.ts'
import type { Interval } from '../facts/schema.ts'
import { codedSpecimen } from '../facts/specimens.ts'
import type { Sent } from '../identify/sent.ts'
import type { Laboratory, Said, Specimen } from '../parse/origin.ts'
import codes from './codes.json' with { type: 'json' }
import { CLIA, PROFILE_OID } from './validate.ts'
import { components, escaped, providerOf, segment, timeOf } from './write.ts'

const CLIA_OID = '2.16.840.1.113883.4.7'

/** HD: a name, its universal ID, and whose number that is. */
interface Designator {
  name: string
  id: string
  kind: 'ISO' | 'CLIA'
}

interface Address {
  street: string
  other?: string | undefined
  city?: string | undefined
  state?: string | undefined
  zip?: string | undefined
}

/** Who sends messages, and who orders what they are about. */
interface Sender {
  application: Designator
  facility: Designator
  ordering: Address & { name: string; phone: string }
}

interface Person {
  firstName: string
  lastName: string
  dateOfBirth: string
  sex?: 'M' | 'F' | undefined
  phone?: string | undefined
  addressLine1?: string | undefined
  addressLine2?: string | undefined
  city?: string | undefined
  state?: string | undefined
  zip?: string | undefined
}

/** A result, as a report has it. */
interface Result {
  loinc?: string | undefined
  label: string
  kind?: string | undefined
  finding?: Finding | undefined
  result: number | null
  comparator?: string | undefined
  unit: string
  displayUnit: string
  rawResult: string
  interpretation: string
  expected?: { values: string[]; source: 'lab' | 'catalogue' } | undefined
  ranges: { inRange: Interval | null }
  sent?: Sent | undefined
  said?: Said | undefined
}

/** What is told to an authority. */
export interface ElrContent {
  /** Of the software that sends it. */
  release: string
  controlId: string
  at: Date
  authority: { application: Designator; facility: Designator; acknowledges: boolean; processing: 'P' | 'T' | 'D' }
  sender: Sender | undefined
  race: string | null
  person: Person
  /** Of the sample and of the order: the kit, or the report where there is none. */
  number: string
  /** The laboratory's own number of the order. */
  filler: string | null
  entry: Result
  /** OBX-11: W takes back what was told. */
  status: 'F' | 'P' | 'C' | 'W'
  provider: { provider: string; npi: string } | undefined
  laboratory: Laboratory | undefined
  specimen: Specimen | undefined
  /** As the report has it: a day, or a time with its zone if that is known. */
  collected: string | null
  received: string | null
  resulted: string | null
  reported: string
}

const designator = ({ name, id, kind }: Designator, by = '^'): string => [escaped(name), escaped(id), kind].join(by)

/** A time as precise as it was given. */
function stamp(text: string | null | undefined): string {
  const [, day, time = '', zone = ''] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)[.\d]*(Z|[+-]\d\d:?\d\d)?)?$/.exec(text ?? '') ?? []
  return day === undefined ? '' : (day + time).replaceAll(/\D/g, '') + (zone === 'Z' ? '+0000' : zone.replace(':', ''))
}

const addressOf = ({ street, other, city, state, zip }: Address): string =>
  components(street, other, city, state?.toUpperCase(), zip, 'USA')

/** Laboratories have their address as one text. */
function parsedAddress(text: string): Address {
  const [, street, city, state, zip] = /^(.+?),\s*([^,]+),\s*([A-Z]{2})\s+(\d{5}(?:-\d{4})?)\b/.exec(text) ?? []
  if (street === undefined) return { street: text }
  return { street, city, state, zip }
}

/** XTN of a number of North America; empty for others, which the guide has no form for. */
function phoneOf(phone: string | undefined, use: 'PRN' | 'WPN'): string {
  const [, area, local] = /^(?:1)?(\d{3})(\d{7})$/.exec((phone ?? '').replaceAll(/\D/g, '')) ?? []
  return area === undefined ? '' : components('', use, 'PH', '', '1', area, local)
}

const organization = (name: string, clia?: string): string =>
  clia && CLIA.test(clia) ? `${escaped(name)}^L^^^^CLIA&${CLIA_OID}&ISO^XX^^^${clia}` : `${escaped(name)}^L`

function personName(name: string): string {
  const words = (name.split(',')[0] ?? '').trim().split(/\s+/)
  return components('', words.at(-1), words.slice(0, -1).join(' '))
}

/** Races other than those of the census stay unsaid. */
const raceOf = (race: string | null): string => {
  const code = (codes.races as Record<string, string>)[race?.trim().toLowerCase() ?? '']
  return code === undefined || race === null ? '' : components(code, race, 'HL70005')
}

/** OBX-2, 5 and 6: a finding by its code, a number with its unit, a titre as 1 to its number. */
function resultOf({ finding, kind, result, comparator, unit, displayUnit, rawResult }: Result): Record<number, string> {
  if (finding?.kind === 'text') return { 2: 'ST', 5: escaped(finding.value) }
  if (finding)
    return {
      2: 'CWE',
      5: components(snomedOf(finding.value), findingText(finding), 'SCT', '', '', '', '', '', rawResult),
    }
  if (result === null) return {}
  const units = components(unit, displayUnit || unit, 'UCUM')
  const parts = kind === 'titre' ? [comparator, '1', ':', String(result)] : [comparator, String(result)]
  return { 2: 'SN', 5: components(...parts), 6: units }
}

/** What was measured: LOINC, and the laboratory's own code beside it. */
function codeOf({ loinc, label, sent }: Result): string {
  const own = sent?.codes.find(({ code, system }) => code !== loinc && system === undefined)
  return loinc ? components(loinc, label, 'LN', ...(own ? [own.code, own.display ?? sent?.name, 'L'] : [])) : ''
}

/** A message to an authority. Fields that are not known are empty, and the validator says which must not be. */
export function elrOf(content: ElrContent): string {
  const { controlId, at, authority, sender, person, number, entry, status, laboratory, specimen, race } = content
  const { application, facility, ordering } = sender ?? {}
  const assigner = application ? designator(application) : ''
  const within = application ? designator(application, '&') : ''
  const order = { 2: `${number}^${assigner}`, 3: `${escaped(content.filler ?? number)}^${assigner}` }
  const provider = content.provider ? providerOf(content.provider) : ''
  const phone = phoneOf(ordering?.phone, 'WPN')
  const collected = stamp(content.collected)
  const kind = codedSpecimen(specimen?.source)
  const { addressLine1, addressLine2, city, state, zip } = person
  const { expected, ranges } = entry
  const range = expected ? expectedText(entry) : ranges.inRange ? intervalText(ranges.inRange) : ''
  const acknowledges = authority.acknowledges ? 'AL' : 'NE'
  const profile = authority.acknowledges ? 'PHLabReport-Ack' : 'PHLabReport-NoAck'
  const header = [
    assigner,
    facility ? designator(facility) : '',
    designator(authority.application),
    designator(authority.facility),
    timeOf(at),
  ]
  return [
    `MSH|^~\\&|${header.join('|')}||ORU^R01^ORU_R01|${controlId}|${authority.processing}|2.5.1|||${acknowledges}|NE|USA|UNICODE UTF-8|||${profile}^phLabResultsELRv251^${PROFILE_OID}^ISO\r`,
    segment('SFT', { 1: 'Kitlane^L', 2: content.release.slice(0, 15), 3: 'Kitlane', 4: content.release.slice(0, 20) }),
    segment('PID', {
      1: '1',
      3: `${number}^^^${within}^PI`,
      5: person.lastName ? components(person.lastName, person.firstName, '', '', '', '', 'L') : '',
      7: stamp(person.dateOfBirth),
      8: person.sex ?? 'U',
      10: raceOf(race),
      11: addressLine1 || state ? addressOf({ street: addressLine1 ?? '', other: addressLine2, city, state, zip }) : '',
      13: phoneOf(person.phone, 'PRN'),
    }),
    segment('ORC', {
      1: 'RE',
      ...order,
      12: provider,
      14: phone,
      21: ordering ? organization(ordering.name) : '',
      22: ordering ? addressOf(ordering) : '',
      23: phone,
      24: ordering ? addressOf(ordering) : '',
    }),
    segment('OBR', {
      1: '1',
      ...order,
      4: codeOf(entry),
      7: collected,
      16: provider,
      17: phone,
      22: stamp(content.reported),
      25: status === 'W' ? 'C' : status,
    }),
    segment('OBX', {
      1: '1',
      3: codeOf(entry),
      ...resultOf(entry),
      7: escaped(range.slice(0, 60)),
      8: entry.interpretation
        ? components(entry.interpretation, (codes.flags as Record<string, string>)[entry.interpretation], 'HL70078')
        : '',
      11: status,
      14: collected,
      17: entry.said?.method ? components('', '', '', '', '', '', '', '', entry.said.method.slice(0, 199)) : '',
      19: stamp(content.resulted),
      23: laboratory ? organization(laboratory.name, laboratory.clia) : '',
      24: laboratory?.address ? addressOf(parsedAddress(laboratory.address)) : '',
      25: laboratory?.director ? personName(laboratory.director) : '',
    }),
    segment('SPM', {
      1: '1',
      2: `^${[escaped(specimen?.id ?? number), within].join('&')}`,
      4: kind ? components(kind.code, kind.label, 'SCT', '', '', '', '', '', specimen?.source) : '',
      17: collected,
      18: stamp(content.received),
    }),
  ].join('')
}
