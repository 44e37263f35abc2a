import type { Answer } from '../../facts/answer-codes.ts'
import { answerText } from '../../facts/answers.ts'
import { countIn, isKnownUnit, normaliseUnit } from '../../facts/convert.ts'
import { areSameUnit } from '../../facts/ucum.ts'
import { withDoubt } from '../beside.ts'
import { siteOf } from '../body-site.ts'
import { flagOf, isKnownFlag, offScale } from '../flags.ts'
import { asThousands, byFlag, type Commas, commasOfLine, isUncertain, rangeOf, readSent } from '../number.ts'
import type { Bounds, Doubt, Observation, ResultStatus } from '../parsed.ts'
import type { SampleFacts } from '../sample-words.ts'
import { type OwnFields, readSentText, type SentText } from '../sent-text.ts'
import { distinct } from '../specimen-words.ts'
import { isUsable, printedStatus } from '../status.ts'
import { A_DOCUMENT, clean, cleaned, LONGEST_TEXT } from '../text.ts'
import { unitBeside } from '../unit-beside.ts'
import { component, type Delimiters, repetitions, type Segment } from './message.ts'

const statuses = new Map<string, ResultStatus>([
  ...['F', 'U', 'V', 'B', ''].map((code) => [code, 'final'] as const),
  ['C', 'corrected'],
  ...['P', 'R', 'S'].map((code) => [code, 'preliminary'] as const),
  ...['I', 'O'].map((code) => [code, 'pending'] as const),
  ['X', 'cancelled'],
  ['N', 'not-done'],
  ...['D', 'W'].map((code) => [code, 'entered-in-error'] as const),
])

export const statusOf = (code: string): ResultStatus => statuses.get(code.toUpperCase()) ?? 'not-done'

/** The status of a result, also in words; undefined for one that is not known: whether it counts is not certain. */
function statusOfResult(code: string): ResultStatus | undefined {
  const known = statuses.get(code.toUpperCase())
  return known ?? (code.length > 1 && !isKnownFlag(code) ? printedStatus(code) : undefined)
}

/** HL7 table 0123: preliminary, not verified, corrected, not yet there, scheduled. The others say nothing of one result. */
const sharedStatuses = new Map([...['P', 'R', 'C', 'I', 'O'].map((code) => [code, code] as const), ['S', 'I']])

/** What the segments above an OBX segment say. */
export interface Above {
  section: string
  specimen: string
  hasLegend: boolean
  /** The request is cancelled or taken back. */
  isTakenBack: boolean
  /** Facts of the sample, where the request or the specimen says so. */
  facts: SampleFacts
  /** It is not of the person, or of another place of the body. */
  notOwn: 'notOwn' | 'otherSite' | undefined
  /** OBR-25, which is the status of results without one of their own. */
  requested: string
}

/** One OBX segment. */
export function readObx(obx: Segment, marks: Delimiters, index: number, above: Above, ofMessage: Commas): Observation {
  const { section, hasLegend, facts, requested } = above
  const site = siteOf([1, 2, 4, 5, 9].map((number) => component(obx, marks, 20, number)))
  const specimen = [above.specimen, site.specimen].filter(Boolean).join(' ')
  const sentStatus = component(obx, marks, 11) || (sharedStatuses.get(requested.toUpperCase()) ?? '')
  const status = statusOfResult(sentStatus)
  const flags = flagsIn(obx, marks)
  const sentUnit = cleaned(unitIn(obx, marks), 60)
  const own = flagOf(flags)
  const rangeText = cleaned(repetitions(obx, marks, 7).join(' ~ '), 200)
  const commas = commasOfLine(ofMessage, repetitions(obx, marks, 5).join('; '), rangeText)
  const { text, answers, ...read } = readValue(obx, marks, commas, { unit: sentUnit, flag: own, hasLegend })
  const comparator = offScale(read.comparator, flags)
  const code = readCode(obx, marks)
  const beside = sentUnit || read.unit ? {} : unitBeside(code.name, rangeText, commas)
  const unit = sentUnit ?? read.unit ?? beside.unit
  const range = rangeOf(rangeText && betweenComponents(rangeText, marks), unit, commas)
  const flag = own ?? read.flag
  const flagged = component(obx, marks, 2).toUpperCase() === 'NM' ? undefined : byFlag(text, commas, range, flag)
  const value = read.value ?? flagged
  const notOwn = above.notOwn ?? (site.isOther && 'otherSite')
  const doubt = doubtOf(
    status,
    { ...above, notOwn },
    (flagged === undefined || flagged !== value) &&
      isUncertain(text, value === undefined ? 'unknown' : meant(commas), range),
  )
  const counts = value !== undefined && !doubt && isUsable(status ?? 'final')
  // The standard's decimal point, which other numbers of the message prove, is none of thousands.
  // A machine prints no more decimals than its range has: "31.200" beside "< 5.0", marked as high, may be thousands.
  const isFiner = /^HH?$/.test(flag ?? '') && /\.\d00$/.test(text) && !/\.\d{3}/.test(rangeText ?? '')
  const limits: [Bounds?, string?] = isFiner ? [] : [range, rangeText]
  const large = counts && (isFiner || commas !== 'thousands') ? asThousands(text, value, ...limits) : undefined
  const observation: Observation = {
    ...code,
    ...(beside.bare && { alsoCalled: [...(code.alsoCalled ?? []), beside.bare] }),
    valueText: clean(text, LONGEST_TEXT),
    ...(counts && { value, ...(comparator && { comparator }) }),
    ...(large !== undefined && { asThousands: large }),
    ...(unit && { unit }),
    ...(rangeText && { rangeText }),
    ...(range && { range }),
    ...(flag && { flag }),
    status: status ?? 'final',
    ...(doubt && { doubt }),
    ...(answers && { answers }),
    ...(section && { section }),
    ...(specimen && { specimen }),
    ...facts,
    position: `OBX ${index}, line ${obx.line}`,
    raw: clean(obx.raw, 400),
  }
  const against = sentStatus.toUpperCase() === 'R' ? 'nobody verified it (R)' : noResultBy(obx, marks)
  return against && isUsable(observation.status) ? withDoubt(observation, 'contradicted', against) : observation
}

/** HL7 tables 0725, 0936 and 0206: a goal or an intent, what was asked at order entry, and what is deleted. */
function noResultBy(obx: Segment, marks: Delimiters): string | undefined {
  const [mood, type, action] = [22, 29, 31].map((field) => component(obx, marks, field).toUpperCase())
  if (mood && mood !== 'EVN') return `its mood is ${mood} (OBX-22)`
  if (type && type !== 'RSLT') return `its type is ${type} (OBX-29)`
  return action === 'D' ? 'it is to be deleted (OBX-31)' : undefined
}

function doubtOf(
  status: ResultStatus | undefined,
  { isTakenBack, notOwn }: Above,
  isDoubtful: boolean,
): Doubt | undefined {
  if (notOwn && (status === undefined || isUsable(status))) return notOwn
  if (status === undefined) return 'unknownStatus'
  if (isTakenBack && isUsable(status)) return 'contradicted'
  return isDoubtful ? 'uncertainNumber' : undefined
}

/** Each flag by its code, or by its text where it has none. */
export const flagsIn = (obx: Segment, marks: Delimiters): string[] =>
  repetitions(obx, marks, 8).map(
    (part) =>
      part
        .split(marks.component)
        .find((one) => one.trim() !== '')
        ?.trim() ?? '',
  )

/** The same with the texts of codes: "QNS^Quantity not sufficient". */
export const flagWordsIn = (obx: Segment, marks: Delimiters): string[] =>
  repetitions(obx, marks, 8).flatMap((part) => {
    const parts = part.split(marks.component).map((one) => one.trim())
    return distinct([0, 1, 3, 4].flatMap((at) => parts[at] || []))
  })

/** "10^3/uL" holds the mark of components, which many senders do not escape. Codes and texts that differ are all shown. */
function unitIn(obx: Segment, marks: Delimiters): string {
  const all = [1, 2, 4, 5].map((number) => component(obx, marks, 6, number))
  const [code = '', text = ''] = all
  if (/^[x×]?\s*10$/i.test(code) && /^\d{1,2}\s*\//.test(text)) return `${code}^${text}`
  const count = countIn(text) ?? countIn(code)
  if (count && all.some((one) => one !== '' && normaliseUnit(one) === count)) return count
  const [first, ...others] = all.filter(isKnownUnit)
  const differ = others.filter((one) => first && !areSameUnit(normaliseUnit(first), normaliseUnit(one)))
  return differ.length > 0 ? [first, ...new Set(differ)].join(' or ') : code || first || text
}

/** Both limits as components or subcomponents of OBX-7. */
function betweenComponents(text: string, { component, subcomponent }: Delimiters): string {
  const mark = [component, subcomponent].find((one) => text.includes(one)) ?? ''
  const parts = mark === '' ? [] : text.split(mark).map((part) => part.trim())
  return parts.length === 2 && parts.every((part) => /^\d[\d.,]*$/.test(part)) ? parts.join('-') : text
}

/** Name and LOINC of OBX-3, whichever of its two codes is the LOINC one. A local code is no LOINC. */
function readCode(obx: Segment, marks: Delimiters): Pick<Observation, 'name' | 'alsoCalled' | 'loinc' | 'codes'> {
  const part = (number: number) => component(obx, marks, 3, number)
  const coded = [1, 4].map((at) => ({ code: part(at), name: part(at + 1), system: part(at + 2).toUpperCase() }))
  const isLoinc = ({ code, system }: { code: string; system: string }) =>
    ['LN', 'LOINC', '2.16.840.1.113883.6.1', ''].includes(system) && /^\d{1,7}-\d$/.test(code)
  const loinc = coded.find(isLoinc)?.code
  const names = [...coded.map(({ name }) => clean(name, 200)), clean(part(9), 200)].filter((name) => name !== '')
  const [name = clean(part(1), 200), ...others] = [...new Set(names)]
  const codes = coded.filter(({ code }) => code !== '' && code !== loinc)
  return {
    name,
    ...(others.length > 0 && { alsoCalled: others }),
    ...(loinc && { loinc }),
    ...(codes.length > 0 && { codes }),
  }
}

interface Value extends SentText {
  text: string
  answers?: Answer[]
}

const codedTypes = ['CE', 'CWE', 'CNE', 'CF']

/** One repetition of a coded OBX-5: codes, texts and systems of components 1 to 6 and 10 to 12, and the original text. */
function readAnswer(obx: Segment, marks: Delimiters, repetition: number): Answer {
  const part = (number: number) => component(obx, marks, 5, number, repetition)
  const coded = [1, 4, 10].map((at) => ({ code: part(at), text: part(at + 1), system: part(at + 2) }))
  return {
    codes: coded.flatMap(({ code, system }) => (code === '' ? [] : [{ code, system }])),
    texts: [part(9), ...coded.map(({ text }) => text)].filter((text) => text !== ''),
  }
}

/** A number only where OBX-2 promises one, or free text is nothing but one: codes look like numbers, too. */
function readValue(obx: Segment, marks: Delimiters, commas: Commas, fields: OwnFields): Value {
  const all = repetitions(obx, marks, 5)
  const type = component(obx, marks, 2).toUpperCase()
  const part = (number: number) => component(obx, marks, 5, number)
  if (type === 'SN' && !obx.fields[5]?.includes(marks.repetition)) return readStructured([1, 2, 3, 4].map(part), commas)
  if (codedTypes.includes(type)) {
    const answers = all.map((_, index) => readAnswer(obx, marks, index + 1))
    return { text: answers.map(answerText).filter(Boolean).join('; '), answers }
  }
  if (type === 'ED' || type === 'RP') return { text: A_DOCUMENT }
  if (type === 'CQ' && all.length === 1 && (!fields.unit || normaliseUnit(fields.unit) === normaliseUnit(part(2))))
    return { text: part(1), ...readSent(part(1), commas), ...(part(2) && { unit: part(2) }) }
  const text = all.join('; ').replaceAll(marks.component, ' ')
  // An empty first repetition is the "~" of "~25", which means about.
  const isAbout = obx.fields[5]?.trimStart().startsWith(marks.repetition) === true
  if (all.length !== 1 || isAbout || !['NM', 'ST', 'TX', 'FT'].includes(type)) return { text }
  // Text is printed as in the sender's country; the standard defines the decimal point for numbers only.
  if (type !== 'NM' && commas === 'unknown' && isUncertain(text, commas)) return { text }
  const number = type === 'NM' ? readSent(text, commas) : undefined
  // A unit behind the number is no number by the standard, and says the same; in a component of its own it may be another.
  const isOne = number?.value !== undefined || (type === 'NM' && obx.fields[5]?.includes(marks.component))
  return { text, ...(isOne ? number : readSentText(text, commas, fields)) }
}

function readStructured([sign = '', first = '', separator = '', second = '']: string[], commas: Commas): Value {
  const text = [sign, first, separator, second].join('')
  if (separator !== '' || second !== '' || sign === '<>') return { text }
  return { text, ...readSent(`${sign === '=' ? '' : sign}${first}`, commas) }
}

/** By the standard points are decimal, unless the message proves otherwise. */
const meant = (commas: Commas): Commas => (commas === 'unknown' ? 'thousands' : commas)

/** Texts of results and ranges, by which a message shows what its commas mean. */
export const printedIn = (obx: Segment, marks: Delimiters): string[] => [
  ...(['NM', 'SN', 'ST', 'TX'].includes(component(obx, marks, 2).toUpperCase()) ? repetitions(obx, marks, 5) : []),
  ...repetitions(obx, marks, 7),
]
