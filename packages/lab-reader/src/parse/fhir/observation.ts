import type { Answer } from '../../facts/answer-codes.ts'
import { answerText } from '../../facts/answers.ts'
import { countIn, isKnownUnit, normaliseUnit } from '../../facts/convert.ts'
import { areOfOtherSize, areSameUnit, isOtherUnit } from '../../facts/ucum.ts'
import { withFlags } from '../beside.ts'
import { flagOf, offScale } from '../flags.ts'
import { asThousands, boundsOf, type Commas, isUncertain, rangeOf } from '../number.ts'
import type { Bounds, Observation, ResultStatus } from '../parsed.ts'
import { readSentText, type SentText } from '../sent-text.ts'
import { isUsable } from '../status.ts'
import { clean, cleaned, joinedLines, LONGEST_TEXT } from '../text.ts'
import type { Concept, ObservationResource, Quantity, ReferenceRange, Valued } from './resource.ts'

const loincSystem = /^(https?:\/\/loinc\.org\/?|urn:oid:2\.16\.840\.1\.113883\.6\.1)$/
const ucumSystem = /unitsofmeasure\.org|2\.16\.840\.1\.113883\.6\.8/

const statuses = new Map<string, ResultStatus>([
  ['final', 'final'],
  ['registered', 'pending'],
  ['preliminary', 'preliminary'],
  ['partial', 'preliminary'],
  ['amended', 'corrected'],
  ['corrected', 'corrected'],
  ['appended', 'corrected'],
  ['cancelled', 'cancelled'],
  ['entered-in-error', 'entered-in-error'],
])
export const statusOf = (code: string): ResultStatus => statuses.get(code) ?? 'not-done'

/** What holds for all of an Observation. */
export interface About {
  section: string
  specimen: string
  position: string
  commas: Commas
}

/** An Observation: its own value and that of each component. The status of a withdrawn report counts before its own. */
export function readObservation(
  resource: ObservationResource,
  { section, specimen, position, commas }: About,
  status: ResultStatus = statusOf(resource.status),
): Observation[] {
  const comment = joinedLines((resource.note ?? []).map((note) => note.text ?? ''))
  const parts: [Valued, string][] = (resource.component ?? []).map((part, index) => [
    part,
    `${position}, component ${index + 1}`,
  ])
  const own = hasValue(resource) || parts.length === 0 ? [[resource, position] as [Valued, string]] : []
  const isModified = (resource.modifierExtension?.length ?? 0) > 0 || resource.implicitRules !== undefined
  // A name above components alone is that of their panel.
  const ofParts = hasValue(resource) ? section : [section, wordsOf(resource.code)].filter(Boolean).join(' / ')
  return [...own, ...parts].map(([valued, position]) =>
    withFlags(
      {
        ...readValued(valued, status, commas, isModified),
        ...sectionOf(valued === resource ? section : ofParts),
        ...(specimen && { specimen }),
        ...(comment && { comment }),
        position,
      },
      (valued.interpretation ?? []).flatMap((one) => [...flagsOf(one), wordsOf(one)]),
    ),
  )
}

const sectionOf = (section: string) => (section ? { section } : {})

/** Whatever FHIR calls the value: valueQuantity, valueRatio, … */
export const hasValue = (valued: Valued): boolean =>
  Object.entries(valued).some(([key, value]) => key.startsWith('value') && value !== undefined)

export const wordsOf = (concept: Concept | undefined): string =>
  clean(concept?.text ?? concept?.coding?.find(({ display }) => display)?.display ?? concept?.coding?.[0]?.code ?? '')

function readValued(
  valued: Valued,
  status: ResultStatus,
  commas: Commas,
  isModified: boolean,
): Omit<Observation, 'position'> {
  const flags = (valued.interpretation ?? []).flatMap(flagsOf)
  const { text, value, answers, ...read } = readValue(valued, commas, flagOf(flags))
  const unit = unitOf(valued.valueQuantity).unit ?? read.unit
  const comparator = offScale(read.comparator, flags)
  const { rangeText, range } = readRanges(valued.referenceRange ?? [], unit, commas)
  const flag = flagOf(flags) ?? read.flag
  const isDoubtful = valued.valueString !== undefined && isUncertain(valued.valueString, commas, range)
  const isContradicted =
    isModified ||
    (valued.modifierExtension?.length ?? 0) > 0 ||
    absentIn(valued) !== undefined ||
    (valued.dataAbsentReason !== undefined && hasValue(valued))
  const isAbsent = valued.dataAbsentReason !== undefined && !hasValue(valued) && isUsable(status)
  const doubt = isContradicted ? 'contradicted' : isAbsent ? 'absent' : isDoubtful ? 'uncertainNumber' : undefined
  const counts = value !== undefined && !doubt && isUsable(status)
  const large =
    counts && commas !== 'thousands' ? asThousands(valued.valueString ?? '', value, range, rangeText) : undefined
  return {
    ...readCode(valued.code),
    valueText: text,
    ...(counts && { value, ...(comparator && { comparator }) }),
    ...(large !== undefined && { asThousands: large }),
    ...(unit && { unit }),
    ...(rangeText && { rangeText }),
    ...(range && { range }),
    ...(flag && { flag }),
    status,
    ...(doubt && { doubt }),
    ...(isContradicted && { because: contradictionIn(valued) }),
    ...(answers && { answers }),
    raw: clean(`${wordsOf(valued.code)}: ${text} ${unit ?? ''}`, 400),
  }
}

/** Why a value is none, as an extension of it says. */
const absentIn = ({ valueQuantity, _valueQuantity, valueCodeableConcept, _valueString }: Valued): string | undefined =>
  [valueQuantity, _valueQuantity, valueCodeableConcept, _valueString]
    .flatMap((one) => one?.extension ?? [])
    .find(({ url }) => url.endsWith('/data-absent-reason'))?.valueCode

function contradictionIn(valued: Valued): string {
  const { dataAbsentReason, modifierExtension } = valued
  const absent = dataAbsentReason === undefined ? absentIn(valued) : wordsOf(dataAbsentReason)
  return absent !== undefined && !modifierExtension?.length
    ? `beside it stands that there is none (dataAbsentReason ${absent})`
    : 'an extension changes what it means (modifierExtension, implicitRules)'
}

const flagsOf = (concept: Concept): string[] => {
  const codes = (concept.coding ?? []).flatMap(({ code }) => code ?? [])
  return codes.length > 0 ? codes : [wordsOf(concept)]
}

function readCode(concept: Concept | undefined): Pick<Observation, 'name' | 'alsoCalled' | 'loinc' | 'codes'> {
  const codings = concept?.coding ?? []
  const codes = new Set(codings.flatMap(({ system, code }) => (loincSystem.test(system ?? '') && code ? [code] : [])))
  // Several LOINC codes of one result, such as a method's and a panel's, are ambiguous.
  const loinc = codes.size === 1 ? [...codes][0] : undefined
  const names = [concept?.text ?? '', ...codings.map(({ display }) => display ?? '')].map((name) => clean(name, 200))
  const [name = codings[0]?.code ?? '', ...others] = [...new Set(names.filter((one) => one !== ''))]
  const other = codings.flatMap(({ code, system = '', display = '' }) =>
    code && code !== loinc ? [{ code, system, name: clean(display, 200) }] : [],
  )
  return {
    name,
    ...(others.length > 0 && { alsoCalled: others }),
    ...(loinc && { loinc }),
    ...(other.length > 0 && { codes: other }),
  }
}

const answerOf = ({ coding = [], text }: Concept): Answer => ({
  codes: coding.flatMap(({ code, system = '' }) => (code ? [{ code, system }] : [])),
  texts: [text, ...coding.map(({ display }) => display)].flatMap((one) => cleaned(one) ?? []),
})

function readValue(
  valued: Valued,
  commas: Commas,
  flag: string | undefined,
): SentText & { text: string; answers?: Answer[] } {
  const quantity = valued.valueQuantity
  if (quantity?.value !== undefined) {
    const { value, comparator } = quantity
    const text = `${comparator ?? ''}${value}`
    // "ad" (sufficient to achieve) is no bound of a measurement.
    return comparator === 'ad' ? { text } : { text, value, ...(comparator && { comparator }) }
  }
  if (valued.valueInteger !== undefined) return { text: String(valued.valueInteger), value: valued.valueInteger }
  if (valued.valueString !== undefined) {
    const text = clean(valued.valueString, LONGEST_TEXT)
    return commas === 'unknown' && isUncertain(text, commas)
      ? { text }
      : { text, ...readSentText(text, commas, { unit: undefined, flag }) }
  }
  if (valued.valueCodeableConcept) {
    const answer = answerOf(valued.valueCodeableConcept)
    return { text: clean(answerText(answer)), answers: [answer] }
  }
  if (valued.valueBoolean !== undefined) return { text: String(valued.valueBoolean) }
  const { valueRange, valueRatio, valuePeriod } = valued
  if (valueRange) return { text: `${textOf(valueRange.low)} to ${textOf(valueRange.high)}` }
  if (valueRatio) return readRatio(valueRatio)
  if (valuePeriod) return { text: `${valuePeriod.start ?? ''} to ${valuePeriod.end ?? ''}` }
  if (valued.valueSampledData !== undefined) return { text: 'A series of measurements, to be opened' }
  return { text: valued.valueDateTime ?? valued.valueTime ?? wordsOf(valued.dataAbsentReason) }
}

/** 11 mg to 1 g is 11 mg/g. Any other ratio is a text, such as a titre. */
function readRatio({ numerator, denominator }: NonNullable<Valued['valueRatio']>): SentText & { text: string } {
  const text = `${textOf(numerator)}:${textOf(denominator)}`
  const units = [numerator, denominator].flatMap((one) => unitOf(one).unit ?? []).filter((unit) => !/[\s/]/.test(unit))
  const { value, comparator } = numerator ?? {}
  const isOfOne = denominator?.value === 1 && !denominator.comparator && units.length === 2
  if (value === undefined || comparator === 'ad' || !isOfOne) return { text }
  return { text: `${comparator ?? ''}${value}`, value, ...(comparator && { comparator }), unit: units.join('/') }
}

const textOf = (quantity: Quantity | undefined) =>
  [`${quantity?.comparator ?? ''}${quantity?.value ?? ''}`, quantity?.unit ?? ''].join(' ').trim()

/** If code and printed unit are both known, they must mean the same: else a person decides. */
function unitOf(quantity: Quantity | undefined): { unit?: string } {
  const printed = cleaned(quantity?.unit, 60)
  const code = ucumSystem.test(quantity?.system ?? '') || !printed ? cleaned(quantity?.code, 60) : undefined
  if (!printed || !code) return { unit: code ?? printed }
  const [one, other] = [normaliseUnit(printed), normaliseUnit(code)]
  if (countIn(printed) === code) return { unit: code }
  const differ = isKnownUnit(printed)
    ? isKnownUnit(code)
      ? !areSameUnit(one, other)
      : isOtherUnit(one, code)
    : areOfOtherSize(printed, code)
  return { unit: differ ? `${printed} or ${code}` : isKnownUnit(code) ? code : printed }
}

/** The one normal range for everybody; several that depend on something are kept as text only. */
function readRanges(
  ranges: readonly ReferenceRange[],
  unit: string | undefined,
  commas: Commas,
): { rangeText?: string; range?: Bounds } {
  const rangeText = cleaned(ranges.map((range) => printedRange(range, unit)).join('; '), 200)
  const isNormal = ({ type }: ReferenceRange) => !type || type.coding?.some(({ code }) => code === 'normal') === true
  const general = ranges.filter((range) => isNormal(range) && !range.appliesTo?.length && range.age === undefined)
  const [only] = general
  if (!only || general.length > 1) return { rangeText }
  const bounds = limitsOf(only, unit, commas)
  return { rangeText, ...(bounds && { range: bounds }) }
}

/** FHIR's bounds are inclusive; the text, or a comparator that was sent nevertheless, may make them exclusive. */
function limitsOf({ low, high, text }: ReferenceRange, unit: string | undefined, commas: Commas): Bounds | undefined {
  const printed = rangeOf(text, unit, commas)
  if (low?.value === undefined && high?.value === undefined) return printed
  const same = [low, high].every((bound) => {
    const own = bound && unitOf(bound).unit
    return !own || isUnit(own, unit)
  })
  if (!same) return undefined
  const lowSign = printed?.low === low?.value && printed?.lowExclusive ? '>' : signOf(low)
  const highSign = printed?.high === high?.value && printed?.highExclusive ? '<' : signOf(high)
  return boundsOf(low?.value ?? null, high?.value ?? null, lowSign, highSign)
}

/** "G/L" beside the code 10*9/L is the same. */
const isUnit = (own: string, unit = ''): boolean => normaliseUnit(own) === normaliseUnit(unit) || countIn(own) === unit

const signOf = (bound: Quantity | undefined) => (bound?.comparator === 'ad' ? undefined : bound?.comparator)

/** With its unit, where that is not the unit of the result. */
function printedRange({ low, high, text }: ReferenceRange, unit: string | undefined): string {
  const own = [low, high].flatMap((bound) => (bound && unitOf(bound).unit) ?? [])
  const other = own.find((one) => !isUnit(one, unit))
  const behind = other === undefined ? '' : ` ${other}`
  if (low?.value !== undefined && high?.value !== undefined) return `${low.value}-${high.value}${behind}`
  if (text) return text
  if (low?.value !== undefined) return `${signOf(low) ?? '>='}${low.value}${behind}`
  return high?.value === undefined ? '' : `${signOf(high) ?? '<='}${high.value}${behind}`
}

/** Texts of results and ranges, by which a file shows what its commas mean. */
export const printedIn = (resource: ObservationResource): string[] =>
  [resource, ...(resource.component ?? [])].flatMap(({ valueString, referenceRange }) => [
    valueString ?? '',
    ...(referenceRange ?? []).map(({ text }) => text ?? ''),
  ])
