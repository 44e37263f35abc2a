import { findingText } from '@kitlane/display/finding'
import { intervalText } from '@kitlane/display/interval'
import { expectedText } from '@kitlane/display/report-text'
import { specimenCodes } from '@kitlane/display/specimen-codes'
import { isSnomed, snomedOf, snomedOfText } from '../facts/answer-codes.ts'
import { isKnownUnit, normaliseUnit } from '../facts/convert.ts'
import type { Finding } from '../facts/finding-schema.ts'
import type { Interval } from '../facts/schema.ts'
import { specimensIn } from '../facts/specimens.ts'
import type { Sent } from '../identify/sent.ts'
import type { Laboratory, Said, SentCode, Specimen } from '../parse/origin.ts'
import codes from './codes.json' with { type: 'json' }
import { CLIA, profileOf } from './validate.ts'
import { components, escaped, namesOf, providerOf, segment, timeOf } from './write.ts'

const CLIA_OID = '2.16.840.1.113883.4.7'

/** HD: a name, its universal ID, and whose number that is. */
interface Designator {
  name?: string | undefined
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
  rawResult: string
  rawValue?: number | undefined
  rawUnit?: string | undefined
  labFlag?: string | undefined
  labRange?: Interval | null | undefined
  expected?: { values: string[]; source: 'lab' | 'catalogue' } | undefined
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
  /** Their address is the one of a kit's recipient. */
  isMailing?: boolean | undefined
  /** Of the person, whatever the kit. */
  personNumber: string
  /** Our number of the order, and of a sample without one: the kit, or the report where there is none. */
  number: string
  /** The laboratory's own number of the order, where it is not sent with the result. */
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

const designator = ({ name, id, kind }: Designator, by = '^'): string =>
  [escaped(name ?? ''), escaped(id), kind].join(by)

/** A time as precise as it was given. */
function stamp(text: string | null | undefined): string {
  const [, day, time = '', zone = ''] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)[.\d]*(Z|[+-]\d\d:?\d\d)?)?$/.exec(text ?? '') ?? []
  return day === undefined ? '' : (day + time).replaceAll(/\D/g, '') + (zone === 'Z' ? '+0000' : zone.replace(':', ''))
}

/** HL7 table 0190: H, where a person lives; M, for mail; B, of a firm. */
const addressOf = ({ street, other, city, state, zip }: Address, kind: 'H' | 'M' | 'B'): string =>
  components(street, other, city, state?.toUpperCase(), zip, 'USA', kind)

/** Laboratories have their address as one text. */
function parsedAddress(text: string): Address {
  const [, street, city, state, zip] = /^(.+?),\s*([^,]+),\s*([A-Z]{2}),?\s+(\d{5}(?:-\d{4})?)\b/.exec(text) ?? []
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

/** XCN of a person whose number is not known. */
function personName(name: string): string {
  const { family, given, suffix, prefix, degree } = namesOf(name)
  const upTo = [family, given, '', suffix, prefix, '', '', '', 'L']
  return components('', ...upTo, ...(degree ? [...Array<string>(10).fill(''), degree] : []))
}

/** PID-10, which repeats. Races other than those of the census stay unsaid. */
const raceOf = (race: string | null): string =>
  (race?.split(',') ?? [])
    .map((one) => [(codes.races as Record<string, string>)[one.trim().toLowerCase()], one.trim()])
    .flatMap(([code, name]) => (code ? components(code, name, 'HL70005') : []))
    .join('~')

/** PID-22. People who say one of these as their race have said it. */
const ethnicityOf = (race: string | null): string =>
  /hispanic|latin[oax]/i.test(race ?? '') && !/\b(not|non)\b/i.test(race ?? '')
    ? components('H', 'Hispanic or Latino', 'HL70189')
    : ''

/** The unit as the laboratory wrote it, and its code in UCUM, where that is certain. */
function unitOf({ rawUnit, rawValue, result, unit }: Result): string {
  const sent = rawUnit ?? unit
  const isSame =
    rawUnit === undefined || sent === unit || (rawValue === result && sent === unit.replaceAll(/[{}[\]]/g, ''))
  const code = isSame ? unit : isKnownUnit(sent) ? normaliseUnit(sent) : ''
  return code ? components(code, sent, 'UCUM') : ''
}

/** OBX-2, 5 and 6, as the laboratory sent them: an answer by its code, a number as precise as it was, a titre as 1 to its number. */
function resultOf(entry: Result): Record<number, string> {
  const { finding, kind, result, comparator, rawValue = result, rawResult, sent } = entry
  if (finding?.kind === 'text') return { 2: 'ST', 5: escaped(finding.value) }
  if (finding) {
    const { code = '', display } = isSnomed(sent?.answer?.system) ? (sent?.answer ?? {}) : {}
    const coded = code ? [code, display] : (snomedOfText(rawResult) ?? [snomedOf(finding.value), findingText(finding)])
    return { 2: 'CWE', 5: components(...coded, 'SCT', '', '', '', '', '', rawResult) }
  }
  if (rawValue === null) return {}
  const [printed = ''] = /\d+(?:\.\d+)?/.exec(rawResult) ?? []
  const parts =
    kind === 'titre'
      ? [comparator, '1', ':', String(result)]
      : [comparator, Number(printed) === rawValue ? printed : String(rawValue)]
  return { 2: 'SN', 5: components(...parts), 6: unitOf(entry) }
}

/**
 * What was measured, as the laboratory coded and named it. Ours stands for it only where it sent no LOINC and its unit is that
 * of ours: a code of moles beside milligrams would be wrong.
 */
function codeOf({ loinc, label, unit, rawUnit = unit, sent }: Result): string {
  const theirs = sent?.codes.some(({ code }) => code === loinc)
  const known = theirs || normaliseUnit(rawUnit) === normaliseUnit(unit) ? loinc : undefined
  const own = sent?.codes.find(({ code, system }) => code !== loinc && system === undefined)
  const name = theirs ? sent?.name || label : label
  return known ? components(known, name, 'LN', ...(own ? [own.code, own.display ?? sent?.name, 'L'] : [])) : ''
}

const isHl7 = (system = '') => /0487$/.test(system)

/** SPM-4: the laboratory's own code. Of a text: a code that means just that, which swabs of other places have none of. */
function materialOf({ codes: sent = [], source = '' }: Specimen): string {
  const systemOf = ({ system }: SentCode) => (isSnomed(system) ? 'SCT' : isHl7(system) ? 'HL70487' : undefined)
  const first = sent.find(systemOf)
  const text = source.toLowerCase().replace(/ (specimen|sample)$/, '')
  const [group, ...others] = specimensIn(source) ?? []
  const isPlain = (one: (typeof specimenCodes)[number]) =>
    group !== undefined && one.group === group && others.length === 0
  const known = specimenCodes.find(({ is }) => is === text) ?? specimenCodes.find(isPlain)
  if (!first) return known ? components(known.code, known.display, 'SCT', '', '', '', '', '', source) : ''
  const second = sent.find((one) => one !== first)
  const other = second ? [second.code, second.display, systemOf(second) ?? 'L'] : ['', '', '']
  const display = first.display ?? specimenCodes.find(({ code }) => code === first.code)?.display
  return components(first.code, display, systemOf(first), ...other, '', '', source)
}

/** A message to an authority. Fields that are not known are empty, and the validator says which must not be. */
export function elrOf(content: ElrContent): string {
  const { controlId, at, authority, sender, person, number, entry, status, laboratory, specimen, race } = content
  const { labFlag, labRange, sent, rawUnit = entry.unit } = entry
  const { application, facility, ordering } = sender ?? {}
  const assigner = application ? designator(application) : ''
  const within = application ? designator(application, '&') : ''
  // A laboratory has one number for all tests of an order, which its own namespace and OBR-4 make one of a kind; ours wants another for each.
  const filler = `${sent?.fillerNumber ?? content.filler ?? number}-${entry.loinc ?? ''}`.replace(/-$/, '')
  const own = sent?.fillerNumber && sent.fillerAssigner
  const order = {
    2: `${number}^${assigner}`,
    3: own ? `${escaped(sent?.fillerNumber ?? '')}^${designator(own)}` : `${escaped(filler)}^${assigner}`,
  }
  const ofSample = specimen?.id && specimen.assigner ? designator(specimen.assigner, '&') : within
  const provider = content.provider ? providerOf(content.provider) : ''
  const phone = phoneOf(ordering?.phone, 'WPN')
  const collected = stamp(content.collected)
  const { addressLine1, addressLine2, city, state, zip } = person
  const home = { street: addressLine1 ?? '', other: addressLine2, city, state, zip }
  const isOfLab = entry.expected?.source === 'lab'
  const interval = labRange && rawUnit === entry.unit ? intervalText(labRange) : ''
  const range = sent?.range ?? (isOfLab ? expectedText(entry) : interval)
  const acknowledges = authority.acknowledges ? 'AL' : 'NE'
  const header = [
    assigner,
    facility ? designator(facility) : '',
    designator(authority.application),
    designator(authority.facility),
    timeOf(at),
  ]
  return [
    `MSH|^~\\&|${header.join('|')}||ORU^R01^ORU_R01|${controlId}|${authority.processing}|2.5.1|||${acknowledges}|NE|USA|UNICODE UTF-8|||${profileOf(authority)}\r`,
    segment('SFT', { 1: 'Kitlane^L', 2: content.release.slice(0, 15), 3: 'Kitlane', 4: content.release.slice(0, 20) }),
    segment('PID', {
      1: '1',
      3: `${content.personNumber}^^^${within}^PI`,
      5: person.lastName ? components(person.lastName, person.firstName, '', '', '', '', 'L') : '',
      7: stamp(person.dateOfBirth),
      8: person.sex ?? 'U',
      10: raceOf(race),
      11: addressLine1 || state ? addressOf(home, content.isMailing ? 'M' : 'H') : '',
      13: phoneOf(person.phone, 'PRN'),
      22: ethnicityOf(race),
    }),
    segment('ORC', {
      1: 'RE',
      ...order,
      12: provider,
      14: phone,
      21: ordering ? organization(ordering.name) : '',
      22: ordering ? addressOf(ordering, 'B') : '',
      23: phone,
      24: ordering ? addressOf(ordering, 'B') : '',
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
      8: labFlag ? components(labFlag, (codes.flags as Record<string, string>)[labFlag], 'HL70078') : '',
      11: status,
      14: collected,
      17: entry.said?.method ? components('', '', '', '', '', '', '', '', entry.said.method.slice(0, 199)) : '',
      19: stamp(sent?.analyzedDate ?? content.resulted),
      23: laboratory ? organization(laboratory.name, laboratory.clia) : '',
      24: laboratory?.address ? addressOf(parsedAddress(laboratory.address), 'B') : '',
      25: laboratory?.director ? personName(laboratory.director) : '',
    }),
    segment('SPM', {
      1: '1',
      2: `^${[escaped(specimen?.id ?? number), ofSample].join('&')}`,
      4: specimen ? materialOf(specimen) : '',
      17: collected,
      18: stamp(content.received),
    }),
  ].join('')
}
