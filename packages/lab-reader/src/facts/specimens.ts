import type { Specimen } from '../parse/origin.ts'
import table from './data/specimens.json' with { type: 'json' }
import type { Biomarker } from './schema.ts'

const silent = /^(unk|unknown|not (stated|specified|given|available|applicable)|n\/?a|none|-+)?$/i

/** Blood, serum and plasma: laboratories name the tube or the draw where they mean what they made of it. */
const bloodSpecimens: readonly string[] = ['serum', 'plasma', 'blood', 'dried_blood']

const byWord = new Map<string, string>()
const byCode = new Map<string, string>()
for (const { id, snomed, hl7, words } of table.specimens) {
  for (const code of [...snomed, ...hl7]) byCode.set(code, id)
  for (const word of Object.values(words).flat()) if (!byWord.has(word)) byWord.set(word, id)
}

const patternOf = (word: string) => word.replace(/ \*$/, String.raw` \p{L}+`).replace(/\*$/, String.raw`\p{L}*`)
/** Longer words first: "capillary blood" is not "blood". */
const words = [...byWord]
  .sort(([a], [b]) => b.length - a.length)
  .map(([word, id]) => ({ pattern: patternOf(word), id }))
const anyWord = new RegExp(
  String.raw`(?<![\p{L}\d])(?:${words.map(({ pattern }) => `(${pattern})`).join('|')})(?![\p{L}\d])`,
  'giu',
)

/** Uric acid is named after urine, and measured in blood as well. */
const uricAcid =
  /(?<!\p{L})(?:urinsyr[ea]n?|urinezuur|šlapimo rūgšt\p{L}*|حمض البول|חומצת ה?שתן)(?!\p{L})|(?:uric acid|urate|acid uric|ácido úrico|asam urat|요산|尿酸)(?: ?[(（]ua[)）])?/giu

const additives = /(?<!\p{L})(?:edta|heparin\p{L}*|citrate)(?!\p{L})/giu

function idsIn(text: string): Set<string> {
  const named = [...text.replace(uricAcid, ' ').matchAll(anyWord)].flatMap((match) => {
    const index = match.slice(1).findIndex((group) => group !== undefined)
    return words[index]?.id ?? []
  })
  return new Set([...named, ...text.split(/[^A-Z\d]+/).flatMap((token) => byCode.get(token) ?? [])])
}

/** Codes of laboratories that mean something else within a text: "hepatitis B". */
const wholeCodes = new Map(Object.entries({ B: 'blood', EDB: 'blood', SUE: 'serum', FLP: 'plasma' }))

/** The ids of the specimens that a text names by words or codes: empty where none is known, undefined where it is silent. */
export function specimensIn(text: string | undefined): string[] | undefined {
  const said = text?.replaceAll('_', ' ').trim() ?? ''
  if (silent.test(said)) return undefined
  const code = wholeCodes.get(said)
  if (code) return [code]
  const all = idsIn(said)
  // Of whole blood an additive tells of the tube: "Vollblut (EDTA)" is no plasma.
  const found = all.has('blood') ? idsIn(said.replace(additives, ' ')) : all
  // What dries on a card is drawn from a finger or a heel.
  if (found.has('dried_blood')) found.delete('capillary_blood')
  return [...found]
}

/** A text without the words of specimens, and without those that join them to what stands before: "Elastase im Stuhl". */
export const withoutSpecimens = (text: string): string =>
  text
    .replaceAll('_', ' ')
    .replace(anyWord, ' ')
    .trim()
    .replace(/[\s,;(]+(?:in|im|en|nel|nella|nelle|dans|les|des|du|de|w|ve|v|i|no|na|nas)?[\s)]*$/iu, '')

/** Whether a biomarker may come from all of these specimens. A definition without a list is one of blood. */
export const mayComeFrom = ({ specimens = [...bloodSpecimens] }: Biomarker, named: readonly string[]): boolean =>
  named.every((id) => specimens.includes(id))

/** What comes from blood also from a finger prick, where a laboratory found that it makes no difference. */
export const alsoCapillary = <T extends Biomarker>(one: T): T =>
  mayComeFrom(one, ['blood']) ? { ...one, specimens: [...(one.specimens ?? bloodSpecimens), 'capillary_blood'] } : one

/** Whether a text names nothing but blood, serum or plasma. */
export const isBlood = (named: readonly string[]): boolean =>
  named.length > 0 && named.every((id) => bloodSpecimens.includes(id))

const plain = (text: string | undefined) =>
  text
    ?.toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
const differ = (one: string | undefined, other: string | undefined) => Boolean(one && other && one !== other)
/** Times to the second of the day, or days, as precise as the coarser of them. */
function areApart(one = '', other = ''): boolean {
  const length = Math.min(one.length, other.length)
  if (length > 10 && [one, other].every((at) => /T.*(Z|[+-]\d\d:?\d\d)$/.test(at)))
    return Date.parse(one) !== Date.parse(other)
  return one.slice(0, length) !== other.slice(0, length)
}

const numberOf = ({ id }: Specimen) => id?.toUpperCase().replaceAll(/\s+/g, '')
const kindsOf = ({ codes = [], source = '' }: Specimen) =>
  specimensIn([...codes.map(({ code }) => code), source].join(' ')) ?? []
const wordsOf = ({ source = '' }: Specimen) =>
  (plain(source) ?? '').split(' ').filter((word) => !/^(specimen|sample)$/.test(word))
/** Several swabs are of one kind, and those of places that no list names are of none. */
const isSwab = (kind: string) => kind === 'other' || kind.endsWith('swab')

/** Whether other words or codes may mean the same material: "Serum specimen" and "Serum", or the blood that it was made of. */
function areAlike(one: Specimen, other: Specimen, areCoded: boolean): boolean {
  const [kinds, others] = [kindsOf(one), kindsOf(other)]
  const [few = [], more = []] = [wordsOf(one), wordsOf(other)].sort((a, b) => a.length - b.length)
  const isOfKind = kinds.some((kind) => !isSwab(kind) && others.includes(kind))
  const areWords = !areCoded && few.every((word) => more.includes(word))
  return isOfKind || areWords || (isBlood(kinds) && isBlood(others))
}

/**
 * Whether a laboratory says of two specimens something that cannot be of one: number, material, place of the body or time. A number
 * names its sample: beside it other words may be meant, and a day of collection be wrong.
 */
export function specimensDiffer(
  one: Specimen | undefined,
  other: Specimen | undefined,
): 'surely' | 'perhaps' | undefined {
  if (!one || !other) return undefined
  const number = numberOf(one)
  const isOneNumber = Boolean(number) && number === numberOf(other)
  const [codes = [], others = []] = [one.codes, other.codes]
  const shared = codes.flatMap((a) => others.flatMap((b) => (a.system === b.system ? [[a.code, b.code]] : [])))
  const isOtherMaterial =
    shared.length > 0 ? shared.every(([a, b]) => a !== b) : differ(plain(one.source), plain(other.source))
  const isOtherSite = one.site?.system === other.site?.system && differ(one.site?.code, other.site?.code)
  const [from, to] = [one, other].map(({ collectedDate }) =>
    isOneNumber ? collectedDate?.slice(0, 10) : collectedDate,
  )
  const isApart = areApart(from, to)
  if (!isOneNumber)
    return differ(number, numberOf(other)) || isOtherMaterial || isOtherSite || isApart ? 'surely' : undefined
  const [kinds, otherKinds] = [kindsOf(one), kindsOf(other)]
  const areKnown = [kinds, otherKinds].every((all) => all.length > 0 && !all.includes('other'))
  const isOfOtherKind = areKnown && !kinds.some((kind) => otherKinds.includes(kind))
  const isUnlike = isOtherMaterial && !areAlike(one, other, shared.length > 0)
  if (isOtherSite || (isUnlike && isOfOtherKind)) return 'surely'
  return isUnlike || isApart ? 'perhaps' : undefined
}

export const isOtherSpecimen = (one: Specimen | undefined, other: Specimen | undefined): boolean =>
  specimensDiffer(one, other) !== undefined

/** The ids of the table, of which a biomarker's `specimens` are some. */
export const specimenIds: readonly string[] = table.specimens.map(({ id }) => id)

/** The names of specimens, in English. */
export const labelsOf = (ids: readonly string[]): string =>
  table.specimens
    .filter(({ id }) => ids.includes(id))
    .map(({ label }) => label.toLowerCase())
    .join(', ')
