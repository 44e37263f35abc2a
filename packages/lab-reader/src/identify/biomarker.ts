import { matchAllergen } from '../facts/allergens.ts'
import { normaliseUnit } from '../facts/convert.ts'
import facts from '../facts/data/loinc.json' with { type: 'json' }
import others from '../facts/data/other-loinc.json' with { type: 'json' }
import {
  isEarlierOrGoal,
  isOfOtherSystem,
  isProvokedTitle,
  isVetoed,
  matchApart,
  matchName,
} from '../facts/guarded-match.ts'
import { matchInfection } from '../facts/infection-names.ts'
import { exactLoinc, exactName, normaliseName } from '../facts/match.ts'
import { urinePanel } from '../facts/name-words.ts'
import type { Biomarker } from '../facts/schema.ts'
import { isBlood, labelsOf, mayComeFrom, specimensIn } from '../facts/specimens.ts'
import { isOfStrip, isOfUrine, isOfUrineAlone, matchInUrine, namesUrine, ofHours } from '../facts/urine.ts'
import type { Observation } from '../parse/parsed.ts'
import { namedInUrine } from './in-urine.ts'
import { hasCheckDigit, loincSystem, loincsOf } from './loincs.ts'
import type { Reason, Refused } from './reasons.ts'
import { plainName } from './unit.ts'

const provoked = new Set(others.provoked.split(' '))
const specimens = new Map(
  Object.entries(others.specimens).flatMap(([id, codes]) => codes.split(' ').map((code) => [code, id] as const)),
)

/** What a LOINC code that the catalogue lacks says against a biomarker: another specimen, a challenge or an hour. */
function otherByCode(biomarker: Biomarker, loinc: string): string | undefined {
  if (provoked.has(loinc)) return `LOINC ${loinc} is of a challenge, an hour or a position`
  const id = specimens.get(loinc)
  if (id === undefined || mayComeFrom(biomarker, [id])) return undefined
  return `LOINC ${loinc} is of ${labelsOf([id])}`
}

export type NamedBiomarker = { biomarker: Biomarker; why: string } | Refused

/** The letter of stool in Nordic laboratories, where the specimen says it, too: "F -Kalprotektiini". */
const ofStool = /^F ?- ?(?=\p{L}{2})/u

const bloodWords = /\b(serum|plasma|blood|bld|ser|serpl\w*|plas|whole blood)\b/i

/** The biomarker of an observation, by all its names and codes. Any contradiction makes it none. */
export function biomarkerOf(
  catalogue: readonly Biomarker[],
  sent: Observation,
  suggest: (name: string) => string[],
): NamedBiomarker {
  const isStool = specimensIn(sent.specimen)?.join() === 'stool'
  const plain = (name: string) => plainName(isStool ? name.replace(ofStool, '') : name, sent.unit)
  const observation = {
    ...sent,
    name: plain(sent.name),
    ...(sent.alsoCalled && { alsoCalled: sent.alsoCalled.map(plain) }),
  }
  const { name, alsoCalled = [], loinc, section = '', specimen } = observation
  const names = [name, ...alsoCalled].filter((one) => one !== '')
  const none = (reason: Reason, ...first: (Biomarker | undefined)[]): NamedBiomarker => {
    const ids = [...first.flatMap((one) => one?.id ?? []), ...suggest(name)]
    return { reason, suggestions: [...new Set(ids)].slice(0, 3) }
  }
  if (names.length === 0 && !loinc) return none('noName')
  const knownInUrine = namedInUrine(catalogue, observation)
  if (knownInUrine)
    return {
      biomarker: ofKind(catalogue, knownInUrine, observation),
      why: `Known by a name of the catalogue, in urine by its specimen and LOINC ${loinc}`,
    }
  const ofCode = loinc ? exactLoinc(catalogue, loinc) : undefined
  const apart = (one: string) => (loinc && !ofCode ? undefined : matchApart(catalogue, one, specimen))
  const meant = ofCode ?? apart(name) ?? matchName(catalogue, name)?.biomarker
  const elsewhere = meant && otherSpecimenOf(meant, observation)
  if (elsewhere) return { ...none('otherSpecimen', meant), because: elsewhere }
  const contradicting = biomarkersOfCodes(catalogue, observation)
  if (contradicting.length > 1)
    return {
      ...none('severalBiomarkers', ...contradicting.map(({ biomarker }) => biomarker)),
      because: contradicting.map(({ code, biomarker }) => `LOINC ${code} is ${biomarker.label}`).join(', '),
    }
  const other = meant && loincsOf(observation).flatMap((code) => otherByCode(meant, code) ?? [])[0]
  if (other) return { ...none('codeContradictsName', meant), because: other }
  const beside = loinc ? undefined : foreignCode(catalogue, observation)
  if (beside) return { ...none('unknownCode', contradicting[0]?.biomarker), because: `LOINC ${beside}` }
  const inUrine = loinc ? undefined : ofUrine(catalogue, observation, names)
  if (inUrine) return { biomarker: inUrine, why: 'Known by a name of the catalogue, in urine' }
  const isOfCode = loinc && ofCode && isOfItsSpecimen(ofCode, observation)
  if (isOfCode && (areNamesOfCode(names, loinc) || names.every((one) => isComponent(one, loinc, ofCode, 'named'))))
    return { biomarker: ofCode, why: `Known by LOINC ${loinc} and the name that LOINC gives it` }
  // A code, a specimen and LOINC's component that agree need no specimen in the name: "pH" of urine.
  const isSaid = specimensIn(specimen)?.length || isOfUrineAlone(section)
  const isNamedBy = (one: string) =>
    (loinc && ofCode && isComponent(one, loinc, ofCode, 'named')) ||
    matchName(catalogue, one)?.biomarker === ofCode ||
    (isOfUrine(observation) && matchInUrine(catalogue, one) === ofCode)
  if (isOfCode && isSaid && names.every((one) => isComponent(one, loinc, ofCode, 'silent') || isNamedBy(one)))
    return { biomarker: ofCode, why: `Known by LOINC ${loinc}, its component and its specimen` }
  const isKnown = (one: string) => exactName(catalogue, one) ?? matchInfection(catalogue, one) ?? apart(one)
  const vetoed = names.filter((one) => (isVetoed(one) && !isKnown(one)) || isOfOtherSystem(catalogue, one))
  if (vetoed.some(isEarlierOrGoal) || isEarlierOrGoal(section)) return none('earlierOrGoal')
  const also = vetoed.find((one) => one !== name)
  if (vetoed.length > 0) return { ...none('otherSpecimenName'), because: also }
  const measuredIn = specimensIn(specimen)
  // "H. pylori antigen" of stool, "Chlamydia trachomatis" of a swab: what the specimen says, the name need not.
  const matches = names.flatMap((one) => {
    const place = isStool ? 'stool' : measuredIn?.join() === 'genital_swab' ? 'swab' : undefined
    const placed = place && !specimensIn(one)?.length ? `${one} ${place}` : undefined
    const own = apart(one)
    const known = own ?? (ofIge.test(section) ? matchAllergen(catalogue, `${one} IgE`) : undefined)
    const match = known
      ? { biomarker: known, how: 'words' as const }
      : (matchName(catalogue, one) ?? (placed === undefined ? undefined : matchName(catalogue, placed)))
    return match ? [{ ...match, biomarker: ofKind(catalogue, match.biomarker, observation) }] : []
  })
  const [match] = matches
  const may = (named: readonly string[]) => (match ? mayComeFrom(match.biomarker, named) : isBlood(named))
  const ranged = specimensIn(observation.rangeText)?.filter((id) => !may([id]))
  if (ranged?.length && ranged.length === specimensIn(observation.rangeText)?.length)
    return { ...none('otherSpecimen'), because: observation.rangeText }
  const noted = materialNoted(observation)
  if (noted && !may(specimensIn(noted) ?? [])) return { ...none('otherSpecimen'), because: noted }
  if (measuredIn && measuredIn.length > 0 && !may(measuredIn))
    return { ...none('otherSpecimen'), because: specimen ?? section }
  const above = names.some((one) => fastingName.test(one)) ? section.replace(tolerance, ' ') : section
  if (isProvokedTitle(above) || (isElsewhere(above) && !isSectionOf(above, may))) return none('otherSpecimenSection')
  if (measuredIn?.length === 0) return none('unknownSpecimen')
  if (matches.some(({ biomarker }) => biomarker !== match?.biomarker)) {
    return none('severalBiomarkers', ...matches.map(({ biomarker }) => biomarker))
  }
  const byName = match?.biomarker
  const how = match?.how === 'alias' ? 'a name of the catalogue' : 'the words of a name of the catalogue'
  if (!loinc) return byName ? { biomarker: byName, why: `Known by ${how}` } : none('unknownName')
  if (!hasCheckDigit(loinc)) return none('wrongCheckDigit', byName)
  const byCode = exactLoinc(catalogue, loinc)
  if (byCode && !byName) {
    const isNameless = names.every((one) => one === loinc)
    if (isNameless) return { biomarker: byCode, why: `Known by LOINC ${loinc}, without a name` }
    if (isOfCode && names.every((one) => isComponent(one, loinc, byCode, 'silent')))
      return { biomarker: byCode, why: `Known by LOINC ${loinc} and its component` }
    return none('unknownNameOfCode', byCode)
  }
  if (byCode && byName) {
    if (byCode === byName) return { biomarker: byCode, why: `Known by LOINC ${loinc} and ${how}` }
    return none('codeContradictsName', byCode, byName)
  }
  // A code that the catalogue lacks may mean other units or another specimen: its own must be named.
  const isInName = names.some((one) => may(specimensIn(one) ?? []) && specimensIn(one)?.length)
  if (byName && (measuredIn !== undefined || isInName || [...names, section].some((text) => bloodWords.test(text)))) {
    return { biomarker: byName, why: `Known by ${how} and its specimen; the catalogue lacks LOINC ${loinc}` }
  }
  if (!byName) return none('unknownNameAndCode')
  return none('unknownCode', byName)
}

/** The biomarkers of all LOINC codes that were sent for one result, each once. */
function biomarkersOfCodes(catalogue: readonly Biomarker[], observation: Observation) {
  const found = loincsOf(observation).flatMap((code) => {
    const biomarker = exactLoinc(catalogue, code)
    return biomarker ? [{ code, biomarker }] : []
  })
  return found.filter(({ biomarker }, at) => found.findIndex((one) => one.biomarker === biomarker) === at)
}

/** Of several LOINC codes of one result, one that the catalogue lacks: it may mean another specimen or another quantity. */
function foreignCode(catalogue: readonly Biomarker[], { codes = [] }: Observation): string | undefined {
  const sent = codes.filter(({ system }) => loincSystem.test(system))
  return sent.length > 1 ? sent.find(({ code }) => !exactLoinc(catalogue, code))?.code : undefined
}

/** What the name of an answer means where the result is a number. */
const inNumbers: Readonly<Record<string, string>> = { hepatitis_b_surface_antibody: 'hbsab_quant' }

/**
 * A name such as "Protein, urine" means a concentration where the result is a number, and a test strip where it is "2+";
 * "Neutrophils" means their count, and their share where the unit is a percent; cells in a field are those of the sediment.
 */
function ofKind(catalogue: readonly Biomarker[], biomarker: Biomarker, { value, unit }: Observation): Biomarker {
  const { id, inWords } = biomarker
  const isShare = id.endsWith('_abs') && normaliseUnit(unit ?? '') === '%'
  const isSeen = id.endsWith('cytes_urine') && normaliseUnit(unit ?? '') === '/[HPF]'
  const ofNumber = isShare ? id.replace(/_abs$/, '_pct') : isSeen ? id.replace(/_urine$/, '_hpf') : inNumbers[id]
  const other = value === undefined ? inWords : ofNumber
  return catalogue.find((one) => one.id === other) ?? biomarker
}

/** What all names mean that mean anything in urine, where nothing but urine is said. */
function ofUrine(
  catalogue: readonly Biomarker[],
  observation: Observation,
  names: readonly string[],
): Biomarker | undefined {
  const { specimen = '', section = '' } = observation
  // "U-Albumin", and "Albumin" without the letter.
  const isBare = (one: string) => namesUrine(observation.name, specimen) && specimensIn(one)?.length === 0
  // "Sodium, urine random": the names say it, and nothing says otherwise. Gathered for some hours it is another quantity.
  const isUrine = (text: string) => [undefined, '', 'urine'].includes(specimensIn(text)?.join())
  const isNamed =
    names.every(
      (one) => namesUrine(one, specimen) || ((isOfStrip(one) || isBare(one)) && specimensIn(specimen)?.length),
    ) && [specimen, section].every(isUrine)
  const isSpot = !urinePanel.test(section) && !ofHours.test([specimen, section, ...names].join(' / '))
  if (!isOfUrine(observation) && !(isNamed && isSpot)) return undefined
  const found = new Set(names.flatMap((one) => matchInUrine(catalogue, one) ?? []))
  const [biomarker] = found
  return found.size === 1 && biomarker ? ofKind(catalogue, biomarker, observation) : undefined
}

type Code = { component?: string; system?: string | null; short?: string; long?: string; de?: string }
const codes: Readonly<Record<string, Code>> = facts.codes
const loincNames = new Map(
  Object.entries(codes).map(([code, { short, long, de }]) => [
    code,
    [short, long, de].flatMap((name) => (name === undefined ? [] : normaliseName(name))),
  ]),
)

/** Whether all names are those that LOINC itself gives the code: they say no more than the code. */
const areNamesOfCode = (names: readonly string[], loinc: string): boolean =>
  names.length > 0 && names.every((name) => loincNames.get(loinc)?.includes(normaliseName(name)) ?? false)

/** LOINC's long names: component, property, specimen and method. A test that confirms is another one. */
const longName = /^(.+?) \[[^\]]+\] in (?:Specimen|(.+?))(?: by (?!.*(?:confirm|blot)).+)?$/i

/** Whether a name is LOINC's component of the code, or its long name; a specimen that is `named` is one of the biomarker's. */
function isComponent(sent: string, loinc: string, biomarker: Biomarker, specimen: 'named' | 'silent'): boolean {
  const [, base, system = ''] = longName.exec(sent) ?? []
  const name = base === undefined ? sent : `${base} ${system.replaceAll(' or ', ' ')}`.trim()
  const { component } = codes[loinc] ?? {}
  const own = specimensIn(name) ?? []
  if (component === undefined || own.length > 0 !== (specimen === 'named') || !mayComeFrom(biomarker, own)) return false
  const words = name.split(/[\s,;()]+/).filter((word) => !specimensIn(word)?.length)
  // Of a pathogen the code says which of its nucleic acids was looked for.
  const named = normaliseName(words.join(' '))
  return [component, component.replace(/ (?:r?RNA|DNA)$/, '')].some((one) => normaliseName(one) === named)
}

/** A way of parting by size, not where blood comes from. Additives of tubes are reagents, too. */
const ofMethod =
  /\b(?:capillary|kapillar\p{L}*|capillaire|capilar|capillare)(?! (?:blood|sample|specimen|blut|probe))|\p{L}*electrophor\p{L}*|\b(?:edta|heparin\p{L}*|citrate|ua|ur)\b/giu

/** The specimen that was sent or that the method names, where the result cannot come from it: both are named. */
function otherSpecimenOf(biomarker: Biomarker, { name, loinc = '', specimen, said }: Observation): string | undefined {
  const usual = labelsOf(biomarker.specimens ?? ['serum', 'plasma', 'blood'])
  const method = said?.method ?? ''
  const ofIts = specimensIn(method.replace(ofMethod, ' ')) ?? []
  if (!mayComeFrom(biomarker, ofIts))
    return `${labelsOf(ofIts)} by the method (${method}), ${usual} by the ${loinc ? 'code' : 'name'}`
  const { system } = codes[loinc] ?? {}
  const isOfSerum =
    /\b(?:Ser|Plas)\b/.test(system ?? '') || /\bin serum\b|\bin plasma\b|\bserum or plasma\b/i.test(name)
  const isDried = specimensIn(specimen)?.includes('dried_blood') || ofIts.includes('dried_blood')
  if (isDried && isOfSerum && !/Bld/.test(system ?? ''))
    return `${labelsOf(['dried_blood'])}, where the code is of serum or plasma`
  return undefined
}

/** A title above allergens that names no other class of antibodies. */
const ofIge = /^(?!.*(?<!\p{L})ig[agm]\d?(?!\p{L})).*(?<!\p{L})ige(?!\p{L})/iu

const ofMaterial =
  /(?<!\p{L})(?:sample|specimen|probe|\p{L}*urin|prélèvement|échantillon|muestra|amostra|campione|monster|materiaal|prov|prøve|urine|orina)(?!\p{L})/iu
const MOST_WORDS = 4

/** A note beside a value that says nothing but what was measured: "urine sample", "muestra de orina". */
const materialNoted = ({ comment = '' }: Observation): string | undefined =>
  ofMaterial.test(comment) && comment.trim().split(/\s+/).length <= MOST_WORDS ? comment : undefined

/** What is measured fasting is taken before the sugar is drunk. */
const fastingName =
  /(?<!\p{L})(?:fasting|nüchtern\p{L}*|à jeun|ayunas|a digiuno|em jejum|fastende|nuchter|na czczo|açlık)(?!\p{L})/iu
const tolerance =
  /(?<!\p{L})(?:o?gtt|oral glucose|(?:glucose|glukose|glukos)? ?toleran(?:ce|z)\p{L}*|(?:50|75|100) ?g|[1-5][ -]?(?:h|hrs?|hours?|std|stunden?)|tests?)(?!\p{L})/giu

const isElsewhere = (section: string): boolean => isVetoed(section) || urinePanel.test(section)
const specimensOfSection = (section: string): string[] => [
  ...(specimensIn(section) ?? []),
  ...(urinePanel.test(section) || isOfUrineAlone(section) ? ['urine'] : []),
]

/** Of a title of another specimen that the table of specimens lacks, nothing may come. */
function isSectionOf(section: string, may: (ids: readonly string[]) => boolean): boolean {
  const named = specimensOfSection(section)
  return named.length > 0 && may(named)
}

/** Neither the specimen nor the section names another one, a provoked state or a goal. */
function isOfItsSpecimen(biomarker: Biomarker, { specimen, section = '' }: Observation): boolean {
  const named = specimensIn(specimen)
  const isSection = !isEarlierOrGoal(section) && !isProvokedTitle(section)
  if (!isSection || named?.length === 0 || !mayComeFrom(biomarker, named ?? [])) return false
  return !isElsewhere(section) || isSectionOf(section, (ids) => mayComeFrom(biomarker, ids))
}
