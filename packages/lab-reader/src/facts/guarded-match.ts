import { distance } from 'fastest-levenshtein'
import { matchAllergen } from './allergens.ts'
import { matchInfection } from './infection-names.ts'
import { longNames } from './long-names.ts'
import { exactName, normaliseName } from './match.ts'
import { earlierOrGoal, neutralWords, provokedWords, sameWord, specimenWords, vetoWords } from './name-words.ts'
import type { Biomarker } from './schema.ts'
import { specimensIn, withoutSpecimens } from './specimens.ts'

/** How it was measured, in which of blood, serum and plasma, and what is ordered then: no part of what is measured. */
const ofMethodOrReflex =
  /\bw\/|\bwith reflex\b.*$|\bw\/? ?rfx\b.*$|\blc\/ms(\/ms)?\b|\bi\. ?[SPB]\.|\bim (?:serum|plasma|vollblut)\b|\((?:enz\.?|enzym\p{L}*\.?|jaff[eé]|naf|spot|turbidim\p{L}*|immunturbid\p{L}*|photom\p{L}*|naf[- ]plasma|fluoridplasma|hexokinase|ise|ecl?ia|clia|cmia|hplc|westergren)\)|\b37 ?°C|;\s*num[eé]rique\b|;\s*(?:stofk|massek|stoffr|antalk|kat\.?k|arb\.? ?k|volfr|entitetsk)\b.*$|\b(?:volgens|nach|selon) ckd-?epi\b/giu

/** "Glukoza w surowicy", "Креатинин в сыворотке крови": serum and plasma in other languages. */
const inSerum =
  /(?<!\p{L})(?:in serum oder plasma|dans le sérum ou le plasma|en suero o plasma|in siero o plasma|w (?:surowicy|osoczu)|v (?:séru|sére|plazmě|plazme)|(?:u|v) (?:serumu|plazmi)|(?:din|în|in) (?:ser|plasmă)|no (?:soro|plasma)|en sèrum|i (?:serum|plasma)|(?:в|у) (?:сыворотке(?: крови)?|сироватці(?: крові)?|плазме(?: крови)?|плазмі(?: крові)?|серум)|(?:se|szérum)(?=[\s,-])|ορού|huyết thanh)(?!\p{L})/giu

export interface NameMatch {
  biomarker: Biomarker
  how: 'alias' | 'words'
}

const indexes = new WeakMap<readonly Biomarker[], Map<string, Biomarker | undefined>>()
const isOrdered = (unit: string) => unit === '{ratio}' || unit === '{index}' || unit.includes('{creat}')

/**
 * The biomarker that a laboratory's name means: by alias, else by words. All words except neutral ones (specimen, method)
 * must be exactly those of one alias; one more ("free", "urine", "2 hour") matches nothing. A quotient matches only a
 * biomarker that is one, in the same order. The caller checks unit and plausibility.
 */
export function matchName(catalogue: readonly Biomarker[], name: string): NameMatch | undefined {
  if (name.length > 200) return undefined
  const allergen = matchAllergen(catalogue, name)
  if (allergen) return { biomarker: allergen, how: 'words' }
  const infection = exactName(catalogue, name) ? undefined : matchInfection(catalogue, name)
  if (infection) return { biomarker: infection, how: 'words' }
  const plain = name
    .replace(/\[[^\]]*\]/g, ' ')
    .replace(ofMethodOrReflex, ' ')
    .replace(/\bs[eé]rum ?\/ ?plasma\b/gi, 'serum')
    .replace(/\ben (?:suero|plasma|sangre)\b/gi, ' ')
    .replace(inSerum, ' ')
    // "S.G.P.T", "E.S.R."
    .replace(/(?<!\p{L})(?:\p{Lu}\.){2,}\p{Lu}(?!\p{L})/gu, (letters) => letters.replaceAll('.', ''))
    .replace(/(?<=\p{L})-ion(?:er)?(?!\p{L})/giu, '')
  if (isVetoed(name) && !exactName(catalogue, name)) return undefined
  const found =
    byAlias(catalogue, name) ??
    (plain === name ? undefined : byAlias(catalogue, plain.replace(/\b(?:serum|plasma)\b/gi, ' '))) ??
    byWords(catalogue, plain) ??
    bySystem(catalogue, plain) ??
    bySides(catalogue, sidesOf(plain))
  if (!found) return bySides(catalogue, inBrackets(plain))
  if (!isQuotient(plain)) return found
  const { unit, scale } = found.biomarker
  const isMeant = scale !== undefined || isOrdered(unit) || unit === '%' || unit.endsWith('{1.73_m2}')
  return isMeant || hasSameSides(catalogue, plain, found) ? found : undefined
}

/** What has its own biomarkers, which the catalogue calls after it: "Cortisol (Saliva)". */
const apart = ['stool', 'saliva']
/** Metals that workers are tested for, in blood and in urine: which it is, the specimen beside the name says. */
const metals = new Map(
  Object.entries({
    lead_blood: 'lead blei plomb plomo piombo chumbo lood ołów bly olovo',
    cadmium_blood: 'cadmium kadmium cadmio cádmio kadm',
    mercury_blood: 'mercury quecksilber mercure mercurio mercúrio kwik kviksølv kvikksølv kvicksilver rtęć rtuť',
  }).flatMap(([id, names]) => names.split(' ').map((name) => [normaliseName(name), id] as const)),
)

/** The biomarker of stool or saliva that a name means, which the name itself or the specimen says: "Faecal calprotectin". */
export function matchApart(
  catalogue: readonly Biomarker[],
  name: string,
  specimen: string | undefined,
): Biomarker | undefined {
  const said = specimensIn(name) ?? []
  const metal = metals.get(normaliseName(name))
  if (metal && specimensIn(specimen)?.join() === 'blood') return catalogue.find((one) => one.id === metal)
  const [id = '', ...others] = said.length > 0 ? said : (specimensIn(specimen) ?? [])
  if (!apart.includes(id) || others.length > 0) return undefined
  const bare = withoutSpecimens(name).replace(/[\s,]*(?:\(morning\)|, *morning)$/i, '')
  const found = exactName(catalogue, `${bare} ${id}`) ?? exactName(catalogue, bare)
  return found?.specimens?.join() === id ? found : undefined
}

/** Whether a name or a panel's title names another specimen or a provoked state. */
export const isVetoed = (text: string): boolean => vetoWords.test(text.replaceAll('_', ' '))

/** Whether it names a provoked state, which no specimen makes right. */
export const isProvoked = (text: string): boolean => provokedWords.test(text.replaceAll('_', ' '))

const namesUrine = /(?<!\p{L})(?:urine|urinary|ur)(?!\p{L})/iu

/** The same of a title above names or codes of their own, of which random urine is no state of the person. */
export const isProvokedTitle = (title: string): boolean =>
  isProvoked(namesUrine.test(title) ? title.replace(/(?<!\p{L})random(?!\p{L})/giu, ' ') : title)

/** Whether it names a goal or an earlier result. */
export const isEarlierOrGoal = (text: string): boolean => earlierOrGoal.test(text.replaceAll('_', ' '))

/** The share of its letters by which a name differs from one that it is not similar to. */
const FAR = 0.45

/** The biomarkers with the most similar spelling, for a person to choose from. They never decide by themselves. */
export function suggestNames(catalogue: readonly Biomarker[], name: string): string[] {
  const key = normaliseName(name.replace(/\[[^\]]*\]/g, ' ')).slice(0, 80)
  if (key === '') return []
  const near = spelledOf(catalogue).flatMap(({ id, names }) => {
    const scores = names.map((one) => {
      const longer = Math.max(key.length, one.length)
      // So many letters at least are added or gone, which is quicker to know than how many.
      const differs = Math.abs(key.length - one.length) / longer
      return differs < FAR ? distance(key, one) / longer : differs
    })
    const within = names.some((one) => one.length > 3 && ` ${key} `.includes(` ${one} `))
    const best = Math.min(...scores, within ? 0.3 : 1)
    return best < FAR ? [{ id, best }] : []
  })
  return near
    .sort((a, b) => a.best - b.best)
    .slice(0, 3)
    .map(({ id }) => id)
}

const spelled = new WeakMap<readonly Biomarker[], { id: string; names: string[] }[]>()

function spelledOf(catalogue: readonly Biomarker[]): { id: string; names: string[] }[] {
  const known = spelled.get(catalogue)
  if (known) return known
  const made = catalogue.map(({ id, label, shortLabel, aliases }) => ({
    id,
    names: [label, shortLabel, ...aliases].map(normaliseName),
  }))
  spelled.set(catalogue, made)
  return made
}

function byAlias(catalogue: readonly Biomarker[], name: string): NameMatch | undefined {
  const biomarker = exactName(catalogue, name)
  return biomarker && { biomarker, how: 'alias' }
}

function byWords(catalogue: readonly Biomarker[], name: string): NameMatch | undefined {
  const index = indexes.get(catalogue) ?? buildIndex(catalogue)
  const words = wordsOf(name)
  const kept = words.filter((word) => !neutralWords.has(word))
  // "total" may be left out, but not next to "free".
  const tries = [words, kept, ...(kept.includes('free') ? [] : [kept.filter((word) => word !== 'total')])]
  for (const attempt of tries) {
    const biomarker = index.get(keyOf(attempt)) ?? index.get(`in order ${attempt.join(' ')}`)
    if (biomarker && attempt.length > 0) return { biomarker, how: 'words' }
  }
  return undefined
}

/** The system before a name, as Nordic, German, Spanish and Czech laboratories write it: "fP-Glukose", "Srm-Glucosa", "S_ALT". */
const systems = /^(S,P|f?[PS]|f?B|Sg|[avcnd]B|d?U|Li|Csv|Sp|F|Srm|Pla|San|Uri|Ori|Lcr)\s?[-–—_]\s?(?=\p{L}[\p{L}\d-])/u
const isSerum = (system: string) => /^(?:S,P|f?[PS]|Srm|Pla)$/.test(system)
/** B-lymphocytes are some of the lymphocytes; the P of P-amylase may be the pancreas. */
const ownLetters = /^(?:lymph|l[iy]mf|cell|zell|amyla|am[yi]las)/i
/** What is counted or measured in whole blood, and not in what is made of it. */
const ofCells = ['hba1c', 'esr']

function systemIn(catalogue: readonly Biomarker[], name: string) {
  const [before, system] = systems.exec(name) ?? []
  if (before === undefined || system === undefined || exactName(catalogue, name)) return undefined
  const rest = name.slice(before.length)
  const match = ownLetters.test(rest) ? undefined : (byAlias(catalogue, rest) ?? byWords(catalogue, rest))
  return match && { system, match }
}

/** Only where the system agrees with what the biomarker is measured in. */
function bySystem(catalogue: readonly Biomarker[], name: string): NameMatch | undefined {
  const found = systemIn(catalogue, name)
  if (!found) return undefined
  const { category, id, specimens } = found.match.biomarker
  const isCell = category === 'blood_count' || ofCells.includes(id)
  const isUsual = specimens === undefined || specimens.includes('serum')
  const agrees = isSerum(found.system) ? isUsual && !isCell : /^(?:B|Sg|San)$/.test(found.system) && isCell
  return agrees ? { ...found.match, how: 'words' } : undefined
}

/** Whether a name begins with another system than blood, serum and plasma: "U-Natrium". */
export function isOfOtherSystem(catalogue: readonly Biomarker[], name: string): boolean {
  const { system = 'P' } = systemIn(catalogue, name) ?? {}
  return !isSerum(system) && !/^(?:f?B|Sg|San)$/.test(system)
}

const wordsOf = (name: string): string[] =>
  normaliseName(name)
    .split(' ')
    .map((word) => (word.length > 5 && /[^s]s$/.test(word) ? word.slice(0, -1) : word))
    .map((word) => sameWord.get(word) ?? word)
    .filter((word) => word !== '')

const keyOf = (words: readonly string[]) => [...new Set(words)].sort().join(' ')

function buildIndex(catalogue: readonly Biomarker[]): Map<string, Biomarker | undefined> {
  const index = new Map<string, Biomarker | undefined>()
  for (const biomarker of catalogue) {
    const { id, label, shortLabel, aliases, unit } = biomarker
    const names = [id.replaceAll('_', ' '), label, shortLabel, ...aliases, ...(longNames[id] ?? [])].map(wordsOf)
    const shorter = names.map((words) => words.filter((word) => !specimenWords.has(word)))
    const key = isOrdered(unit) ? (words: string[]) => `in order ${words.join(' ')}` : keyOf
    for (const one of new Set([...names, ...shorter].filter((words) => words.length > 0).map(key))) {
      index.set(one, index.has(one) && index.get(one) !== biomarker ? undefined : biomarker)
    }
  }
  indexes.set(catalogue, index)
  return index
}

const isQuotient = (name: string) => /[\p{L}\p{N})]\s*[/:]\s*[\p{L}\p{N}(]/u.test(name)

const otherScript = String.raw`[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}ー\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}]`
const twoScripts = new RegExp(
  String.raw`^(${otherScript}(?:[^\p{Script=Latin}]*${otherScript})?)\s+(\p{Script=Latin}.*)$`,
  'u',
)

/** "Hemoglobine / Hémoglobine", "肌酸酐 Creatinine": two or three names that mean one thing. */
const sidesOf = (name: string): string[] => twoScripts.exec(name.trim())?.slice(1, 3) ?? name.split('/')

/** "TSH (tirotropina)", "P-Krea (kreatiniini / kreatinin)", "Eozinofil % (EOS%)": a name, and what else it is called. */
function inBrackets(name: string): string[] {
  const [, first = '', others = ''] = /^([^()]+)\(([^()]+)\)$/.exec(name.trim()) ?? []
  return first === '' ? [] : [first, ...others.replace('%', ' %').split('/')]
}

function bySides(catalogue: readonly Biomarker[], sides: readonly string[]): NameMatch | undefined {
  const [first, ...others] = sides.map(
    (side) => (byAlias(catalogue, side) ?? byWords(catalogue, side) ?? bySystem(catalogue, side))?.biomarker,
  )
  const isOne = first && others.length > 0 && others.length < 3 && others.every((one) => one === first)
  return isOne ? { biomarker: first, how: 'words' } : undefined
}

/** "ALT/SGPT": two names of one thing. */
function hasSameSides(catalogue: readonly Biomarker[], name: string, found: NameMatch): boolean {
  const sides = name.split(/[/:]/)
  return sides.every((side) => (byAlias(catalogue, side) ?? byWords(catalogue, side))?.biomarker === found.biomarker)
}
