import { hintOf } from '../../facts/answers.ts'
import { normaliseUnit } from '../../facts/convert.ts'
import { findingOf } from '../../facts/findings.ts'
import { specimensIn } from '../../facts/specimens.ts'
import { annuls } from '../annulling.ts'
import { flagCode, isKnownFlag } from '../flags.ts'
import {
  asThousands,
  byFlag,
  type Commas,
  commasOfLine,
  isUncertain,
  numberOf,
  rangeOf,
  readPrinted,
} from '../number.ts'
import { withOrder, withStrange } from '../order-name.ts'
import type { Bounds, Doubt, Observation } from '../parsed.ts'
import { doubtIn } from '../pdf/section.ts'
import { isMoreThanFlag, isProse, remarkOf } from '../remark.ts'
import { isAfterDose, isSelfMeasured } from '../sample-words.ts'
import { isNotOwn } from '../specimen-words.ts'
import { isUsable, printedStatus } from '../status.ts'
import { clean, cleaned } from '../text.ts'
import { unitAndFlag, unitBeside } from '../unit-beside.ts'
import type { Row } from './row.ts'
import { statusUnder } from './titles.ts'

export interface Printed {
  name: string
  text: string
  unit?: string
  rangeText?: string
  flag?: string
  /** What is remarked on this value alone. */
  note?: string | undefined
  /** Two columns contradict each other. */
  hasSeveral?: boolean
}

/** "e1" in a column of codes tells with the name which allergen it is. */
const allergenCode = /^[defgimtw]\d{1,3}$/i

/** In a column of methods it tells that the organism was looked for, and not its antibodies. */
const ofGenome = /^(?:(?:rt|q|real[- ]?time)[- ]?)?pcr$|^naat?s?$|^tma$/i

/** The result of a row. Formulas and everything that is not a plain number stay text. */
export function readResult(
  row: Row,
  { name, text: bare, unit: printedUnit, rangeText, flag: ownFlag, note, hasSeveral }: Printed,
  ofTable: Commas,
): Observation {
  const commas = commasOfLine(ofTable, bare, rangeText)
  const headed = printedUnit ? {} : unitBeside(name, rangeText, commas)
  const unit = printedUnit || headed.unit
  const codes = row.codes.filter((code) => allergenCode.test(code))
  // "Peanut" beside "IgE" in a column of classes; IgG4 is another test.
  const classes = row.allergy.isIgE
    ? ['IgE']
    : row.others.filter((cell) => /^(?:(?:specific|spezifisches) )?ige$/i.test(cell))
  const genome = row.all('method').filter((one) => ofGenome.test(one))
  const more = [...codes, ...classes, ...genome].map((one) => `${name} ${one}`)
  const called = [...(headed.bare ? [headed.bare] : []), ...more]
  const signs = row.all('comparator')
  const sign = [...signs, ...row.others].map(signIn).find((one) => one !== undefined)
  const text = sign && !isSign.test(bare.charAt(0)) ? `${sign} ${bare}` : bare
  const split = splitUnit(text, unit, commas)
  const ownUnit = split?.unit ?? cleaned(unit, 60)
  const range = boundsOf(row, rangeText, ownUnit, commas)
  const printed = text.startsWith('=') ? {} : (split ?? readPrinted(text, commas, range))
  const said = row.cell('status') ?? ''
  const status = bare === '' ? (statusUnder(row.title) ?? printedStatus(said)) : printedStatus(said)
  const flag =
    flagCode(ownFlag ?? row.cell('flag') ?? '') ??
    printed.flag ??
    [said, ...row.all('comment')]
      .filter((text, at) => (at === 0 ? isKnownFlag(text) : isSide.test(text)))
      .map(flagCode)[0]
  const flagged = byFlag(text, commas, range, flag)
  const { comparator } = printed
  const value = printed.value ?? flagged
  const loinc = /^\d{1,7}-\d$/.exec(row.cell('loinc') ?? '')?.[0]
  const section = cleaned([row.title?.text, row.cell('panel'), specimenOf(row)].filter(Boolean).join(' / '), 200)
  const beside = [row.cell('flag') ?? '', said, ...row.others]
  const isText = (text: string, at: number) => (at === 0 ? isMoreThanFlag(text) : isProse(text))
  const telling = beside.filter((text, at) => annuls(text) || (isText(text, at) && remarkOf(text) === 'unknown'))
  const comment = cleaned([note, ...row.all('comment'), ...telling].filter(Boolean).join('. '))
  const number = split ? (/^[^\d]*[\d.,]+/.exec(text)?.[0] ?? text) : text
  const specimen = specimenOf(row)
  const method = cleaned(row.cell('method'), 300)
  const { doubt, because } = doubtOf(row, [
    [isNotOwn(specimen ?? ''), 'notOwn', specimen],
    [hasSeveral === true, 'severalValues'],
    [row.allergy.otherClass !== undefined, 'contradicted', row.allergy.otherClass],
    [status === undefined, 'unknownStatus', said],
    [
      (flagged === undefined || flagged !== value) && isUncertain(number, commas, range, rangeText ?? ''),
      'uncertainNumber',
    ],
  ])
  const usable = value !== undefined && !doubt && isUsable(status ?? 'final')
  const large = usable ? asThousands(number, value, range, rangeText) : undefined
  const observation: Observation = {
    name,
    ...(called.length > 0 && { alsoCalled: called }),
    ...(loinc && { loinc }),
    valueText: text,
    ...(usable && { value, ...(comparator && { comparator }) }),
    ...(large !== undefined && { asThousands: large }),
    ...(ownUnit && { unit: ownUnit }),
    ...(rangeText && { rangeText }),
    ...(range && { range }),
    ...(flag && { flag }),
    status: status ?? 'final',
    ...(doubt && { doubt }),
    ...(because && { because }),
    ...(section && { section }),
    ...(specimen && { specimen }),
    ...(comment && { comment }),
    ...((method || comment) && { said: { ...(method && { method }), ...(comment && { comment }) } }),
    ...(row.fasting !== undefined && { fasting: row.fasting }),
    position: `row ${row.number}`,
    raw: row.isShifted ? row.whole : rawOf([name, text, unit, rangeText, flag, said, comment]),
  }
  return withStrange(withOrder(observation, [row.cell('panel') ?? '']), row.strange)
}

/** Among remarks, too: other letters may mean anything there. */
const isSide = /^(?:hh?|ll?|high|low)$/i

/** The number of a tube or a row, such as "S-1", names no specimen. Longer numbers may be codes of one. */
const tubeNumber =
  /^(?:(?:s|sp|sample|smp|tube|probe|subj(?:ect)?|participant|proband)[\s#._-]*\d{1,12}(?:[\s._-]*(?:v|visit|t)\d{1,2})?|#?\d{1,5}|[a-z]{1,2}\d{1,4}|\d{2,4}[-/]\d{3,8})$/i

/** "Patient" beside rows of controls says that the row is the person's, not what it was measured in. */
const ofNoMaterial =
  /^(?:patient(?:en)?(?:probe)?|(?:patient|routine|test|client) (?:sample|specimen)|routine|unknown|sample|individual|single|einzelprobe|individuel(?:le)?|individuale?|paciente|paziente|proband)$/i

/** `<`, as in a column of its own. */
const isSign = /^(?:[<>]=?|[≤≥])$/

const signWords: [sign: string, RegExp][] = [
  ['<', /^(?:lt|less than|below|under|kleiner(?: als)?|inférieur à|menor que|minore di)$/i],
  ['>', /^(?:gt|greater than|more than|above|over|größer(?: als)?|supérieur à|mayor que|maggiore di)$/i],
  ['<=', /^(?:le|lte|less than or equal(?: to)?|=<)$/i],
  ['>=', /^(?:ge|gte|greater than or equal(?: to)?|=>)$/i],
]
const signIn = (cell: string): string | undefined =>
  isSign.test(cell) ? cell : signWords.find(([, word]) => word.test(cell))?.[0]

/** "x10", "1:4", "10^3": the value has to be multiplied, or was. */
const multiplies = /^(?:[x×*]\s*\d[\d.,]*|\d+\s*[x×]|(?:[x×]\s*)?10\s*[\^*]\s*-?\d+|1\s*:\s*\d+|e[+-]?\d+)$/i
/** The value stays as it is. */
const changesNothing =
  /^(?:[x×*]?\s*1(?:[.,]0+)?\s*[x×]?|1\s*[:/]\s*1|10\s*[\^*]\s*0|=|eq|equals?|no|n|none|false|undiluted|neat|linear(?: scale)?|linéaire|lineare?|lineal|lineær|lineair|linjär|nein|non|nej|-+|n\/?a)$/i

/** Under "Qualifier" a flag, and under "Relation" whose sample it is. */
const ofNoSign =
  /^(?:hh?|ll?|n|a|normal|high|low|ok|(?:index )?patient(?:in)?|self|own|proband(?:in)?|selbst|paciente|paziente)$/i

const headed = (row: Row, cell: string): string => {
  const column = row.changes.find((one) => one.cell === cell)
  return column ? `${column.heading}: ${cell}` : cell
}

/**
 * "Reactive" with a signal below the cut-off, "non-reactive" with one above: an assay that turns around looks like that, too. Or
 * with a code that says the other.
 */
function isOtherSide(row: Row): boolean {
  const [index, cutOff] = [row.signal?.index, row.signal?.cutOff].map(Number) as [number, number]
  const said = findingOf({ kind: 'presence', expected: [] }, row.cell('value') ?? '')?.value
  const hints = said === undefined ? [] : row.codes.flatMap((code) => hintOf(code) ?? [])
  if (hints.some((hint) => (hint === 'negative') !== (said === 'negative'))) return true
  return (said === 'positive' && index < cutOff) || (said === 'negative' && index >= cutOff)
}

/** What in a row makes its value doubtful, first what changes all of it. */
function doubtOf(row: Row, of: readonly [is: boolean, doubt: Doubt, because?: string | undefined][]) {
  const changing = [
    ...row.changes.map(({ cell }) => cell),
    ...row.all('comparator').filter((cell) => !signIn(cell) && !ofNoSign.test(cell)),
    ...row.others.filter((cell) => multiplies.test(cell)),
  ].filter((cell) => !changesNothing.test(cell) && cell !== row.cell('value'))
  const { another } = row
  const unmeasured = [row.cell('method') ?? '', ...row.all('comment'), ...row.others].find(isSelfMeasured)
  const dosed = [...row.others, ...row.all('comment')].find(isAfterDose) ?? row.later
  const [title, holds] = [row.title?.text, row.title && doubtIn[row.title.holds]]
  const all: typeof of = [
    [row.isShifted, 'shifted'],
    [holds !== undefined, holds ?? 'otherPart', title],
    [another !== undefined, 'notOwn', another],
    [row.instead !== undefined, doubtIn[row.instead?.holds ?? 'results'] ?? 'otherPart', row.instead?.cell],
    [row.refused !== undefined, 'annulled', row.refused],
    [unmeasured !== undefined, 'contradicted', unmeasured],
    [dosed !== undefined, 'otherSpecimenSection', dosed],
    [
      isOtherSide(row),
      'contradicted',
      [...row.codes, row.signal?.index, row.signal?.cutOff].filter(Boolean).join(', '),
    ],
    [changing.length > 0, 'contradicted', changing.map((cell) => headed(row, cell)).join(', ')],
    ...of,
  ]
  const [, doubt, because] = all.find(([is]) => is) ?? []
  return { doubt, because }
}

/** "K2 EDTA (lavender)" tells of the tube, and "Employee, urine" of the person, too. */
const namesSpecimen = (text: string): boolean =>
  /^(?:employee, ?)?[\p{L} ]{4,40}$|^.{0,12}\bedta\b.{0,20}$/iu.test(text) && (specimensIn(text)?.length ?? 0) > 0

/** What the columns of specimens say, without numbers of tubes: of several all, and one that is not known first. */
const specimenOf = (row: Row): string | undefined => {
  const isMaterial = (text: string) => !tubeNumber.test(text) && !ofNoMaterial.test(text)
  const said = row.all('specimen').filter(isMaterial)
  const unknown = said.find((text) => specimensIn(text)?.length === 0)
  // Under a heading that is not known, only a whole name of a specimen is one.
  return cleaned(
    said.length > 0 ? (unknown ?? said.join(' / ')) : row.others.find(namesSpecimen)?.replace(/^employee, ?/i, ''),
    200,
  )
}

const rawOf = (cells: readonly (string | undefined)[]) =>
  clean(cells.map((cell) => cell ?? '').join(' | '), 400).replace(/[ |]+$/, '')

/** "5.3 mg/dL" in one cell, if a column of units says nothing else. */
function splitUnit(text: string, unit: string | undefined, commas: Commas) {
  const match = /^([<>≤≥=]*\s*[+-]?[\d.,]+)(?:\s+((?:10[*^]|[^\d\s]).{0,40})|(%))$/.exec(text)
  const own = match?.[2] ?? match?.[3]
  if (match?.[1] === undefined || !own || text.startsWith('=')) return undefined
  const said = unitAndFlag(own)
  if (unit && normaliseUnit(unit) !== normaliseUnit(said.unit)) return undefined
  const printed = readPrinted(match[1], commas)
  return printed.value === undefined ? undefined : { ...printed, ...said }
}

function boundsOf(
  row: Row,
  rangeText: string | undefined,
  unit: string | undefined,
  commas: Commas,
): Bounds | undefined {
  const printed = rangeOf(rangeText, unit, commas)
  if (printed) return printed
  const [low, high] = [numberOf(row.cell('low') ?? '', commas), numberOf(row.cell('high') ?? '', commas)]
  return low === undefined && high === undefined ? undefined : { low: low ?? null, high: high ?? null }
}
