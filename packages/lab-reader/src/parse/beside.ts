import { plainLetters } from '../facts/letters.ts'
import { isBlood, specimensIn } from '../facts/specimens.ts'
import { isAbout } from './about.ts'
import { annuls } from './annulling.ts'
import type { Doubt, Observation } from './parsed.ts'
import { linesOfText } from './pdf/head.ts'
import { isJapaneseSentence, isTitle, saysSomething } from './pdf/section.ts'
import {
  analytesIn,
  isMoreThanFlag,
  isOrdinaryRemark,
  LONGEST_REMEMBERED,
  remarkOf,
  unknownSentences,
} from './remark.ts'
import { isOfAnother, isOfPatient, specimenErrorsIn } from './specimen-words.ts'
import { isUsable, withNote } from './status.ts'
import { A_DOCUMENT, clean } from './text.ts'

/** Whether it counts is not certain: it is kept, without its number. The first doubt stays. */
export function withDoubt(observation: Observation, doubt: Doubt, because?: string): Observation {
  if (observation.doubt) return observation
  const { value: _, comparator: __, ...rest } = observation
  return { ...rest, doubt, ...(because && { because: clean(because, 200) }) }
}

const MOST_SENTENCES = 4

/** It waits unless each unknown sentence of the text was let pass before, which only whoever remembers that can say. */
export function withUnknown(observation: Observation, text: string): Observation {
  const said = [...(observation.unknownRemarks ?? []), ...unknownSentences(text).map((one) => shortened(one))]
  const unknownRemarks = [...new Set(said)]
  if (unknownRemarks.length === 0 || !isUsable(observation.status)) return observation
  const isMore = unknownRemarks.length > MOST_SENTENCES
  return { ...observation, unknownRemarks: isMore ? [...unknownRemarks.slice(0, MOST_SENTENCES), '…'] : unknownRemarks }
}

const shortened = (text: string) =>
  text.length > LONGEST_REMEMBERED ? `${clean(text, LONGEST_REMEMBERED - 1)}…` : text

/** HL7 table 0078 and FHIR: quality control failed, toxic to cells, complement in the serum, held for review; and too little, not tested, clotted, rejected. */
const noValueFlags = /^(?:QCF|TOX|AC|HM|QNS|TNP|DNR|UNS|CLT|CLOT|REJ|INV|CANC)$/i

/** A flag that says that the value may not be used: quality control failed, cells died, a number that is indeterminate. */
export function withFlags(observation: Observation, flags: readonly string[]): Observation {
  const bad = flags.find(
    (flag) =>
      noValueFlags.test(flag) ||
      (observation.value !== undefined && /^(?:IND|indeterminate)$/i.test(flag)) ||
      (/\s/.test(flag) && annuls(flag)),
  )
  if (!isUsable(observation.status)) return observation
  const [isHigh, isLow] = [/^HH?$/i, /^LL?$/i].map((pattern) => flags.some((flag) => pattern.test(flag)))
  if (isHigh && isLow && observation.value !== undefined)
    return withDoubt(observation, 'contradicted', `the flags are ${flags.join(' and ')}`)
  return bad === undefined
    ? flags.filter(isMoreThanFlag).reduce(withUnknown, observation)
    : withDoubt(observation, 'annulled', `the flag is ${bad}`)
}

/** LOINC: service comment, annotation comment, interpretation. */
const remarkCodes = ['8251-1', '48767-8', '59464-8', '77202-0', '55752-0', '86468-6']
const remarkNames =
  /\b(?:comments?|notes?|addend(?:um|a)|corrections?(?! factor)|corrigend(?:um|a)|errat(?:um|a)|korrektur(?:en)?|rectificati(?:on|f)|rectificación|correcci(?:ó|o)n|correzion[ei]|rettelse|rättelse|remarks?|annotations?|amendments?|disclaimers?|statements?|messages?|interpretations?|reviews?|info(?:rmation)?|attention|warning|kommentare?|bemerkung(?:en)?|hinweise?|anmerkung(?:en)?|nachtrag|befundtext|achtung|commentaires?|remarques?|comentarios?|notas?|observaci(?:ó|o)n(?:es)?|comment[oi]|osservazion[ei]|bemærkning(?:er)?)(?!\p{L})/iu

const ofState = /\b(?:sample|specimen) (?:quality|condition|integrity|adequacy|suitability|acceptability|state)\b/i

const isRemark = ({ name, loinc = '' }: Observation): boolean =>
  remarkCodes.includes(loinc) || remarkNames.test(name) || ofState.test(name)

/** What an analyser says of its own measurement: "PLT Clumps?" is true. */
const isAlarm = ({ name, valueText }: Observation): boolean =>
  /\b(?:clump\w*|scattergram|interf\w*|agglut\w*|turbid\w*|suspect\w*|alarms?|carry-?over|clots?|short sample|bubbles?)\b/i.test(
    name,
  ) && /^(?:t|true|y|yes|1|\++|pos(?:itive)?|present|detected)$/i.test(valueText)
const codeOf = ({ name, loinc }: Observation) => loinc ?? name

interface Against {
  text: string
  kind: 'annuls' | 'unknown'
  /** Of which results alone it says that. */
  code?: string
  /** An alarm of the analyser is about all results, whichever it names. */
  isAlarm?: true
}

/** The results of all requests or reports of one sample: what nothing but remarks says, it says of all of them. */
export function withRemarksOnAll(groups: readonly (readonly Observation[])[]): Observation[] {
  const remarks = groups.filter(
    (group) => group.length > 0 && group.every((one) => one.value === undefined && isRemark(one)),
  )
  const said = remarks.flatMap(againstIn)
  return groups.flatMap((group) => (remarks.includes(group) ? group : group.map((one) => said.reduce(held, one))))
}

/** The texts among results that say that others may not be used, or nothing that is known: of the same code, else of all. */
function againstIn(observations: readonly Observation[]): Against[] {
  return observations.flatMap((one): Against[] => {
    if (one.value !== undefined || !isUsable(one.status) || one.valueText === A_DOCUMENT) return []
    if (isAlarm(one)) return [{ text: `${one.name}: ${one.valueText}`, kind: 'annuls', isAlarm: true }]
    const isOfOne = observations.some((other) => other !== one && codeOf(other) === codeOf(one))
    const kind = isOfOne || isRemark(one) ? remarkOf(one.valueText) : 'ordinary'
    if (kind === 'ordinary') return []
    return [{ text: one.valueText, kind, ...(isOfOne && { code: codeOf(one) }) }]
  })
}

const held = (one: Observation, { kind, text }: Against): Observation =>
  kind === 'annuls' ? withDoubt(one, 'annulled', text) : withUnknown(one, text)

/** Results that lines of words among them annul, or entitle as those of somebody else, wait. */
export function withWordsBeside(observations: readonly Observation[]): Observation[] {
  const against = againstIn(observations)
  const values = observations.filter(({ valueText }) => !against.some(({ text }) => text === valueText))
  let another: string | undefined
  return observations.map((one) => {
    const text = one.valueText.trim() || one.name
    // A row that is known to be another's says nothing of those below it.
    const isWords = one.value === undefined && isUsable(one.status) && one.doubt !== 'notOwn'
    if (isWords && isOfAnother(text)) another = text
    else if (isWords && isOfPatient(text)) another = undefined
    if (another) return withDoubt(one, 'notOwn', another)
    return against
      .filter(({ text, code }) => text !== one.valueText && (!code || code === codeOf(one)))
      .filter(({ text, kind, isAlarm }) => isAlarm || kind !== 'annuls' || isAbout(text, one, values))
      .reduce(held, one)
  })
}

/** What stands on every report and changes nothing: where it ends, who made it, how to read it, to whom to turn. */
export function isHarmless(text: string): boolean {
  const named = specimensIn(text) ?? []
  return (named.length === 0 || isBlood(named)) && isOrdinaryRemark(text)
}

/** What it says, it says of the report. */
const ofWhole =
  /\b(?:this|the|entire|whole) (?:report|order)\b|\b(?:befund|bericht)\b|\bce (?:rapport|compte rendu)\b|\beste informe\b|\bquesto referto\b/i

/** What it says, it says of several results. */
const ofAll =
  /\b(?:above|below|all|these|following|preceding|alle|obige\p{L}*|oben|unten|tou(?:te)?s|ci-dess(?:us|ous)|tod[oa]s|arriba|abajo|tutt[ie]|sopra|sotto|ovenfor|nedenfor)(?!\p{L}).*\b(?:results?|values?|samples?|ergebnisse|werte|proben?|résultats|valeurs|resultados|valores|risultati|valori|svar|prøver)|\b(?:results?|values?|samples?|ergebnisse|werte|proben?|résultats|valeurs|resultados|valores|risultati|valori|svar|prøver)(?!\p{L}).*\b(?:above|below|oben|unten|ci-dess(?:us|ous)|arriba|abajo|sopra|sotto|ovenfor|nedenfor)/iu

/** Words for more than one result. */
const ofSeveral =
  /(?<!\p{L})(?:results|values|ergebnisse|\p{L}*werte|résultats|valeurs|resultados|valores|risultati|valori|uitslagen|waarden|resultater|resultaten|värden|verdier|værdier|wyniki)(?!\p{L})/iu

/** A note beside one value or result, in whose words all of the report may not be used: "These results …". */
export const annulsAll = (note: string): boolean => annuls(note) && (ofAll.test(note) || ofWhole.test(note))

/** "Thyroid results withdrawn", which names none: what stands above it in its section may not be used either. */
export const annulsAbove = (note: string): boolean =>
  annulsAll(note) || (annuls(note) && ofSeveral.test(note) && analytesIn(note).length === 0)

/** A sentence that is none of those: it may say that results are not what they look like. */
export function saysSomethingOfResults(text: string): boolean {
  if (saysOfSample(text)) return true
  const [line] = linesOfText([[text]])
  if (!line || remarkOf(text) === 'ordinary' || text.trim().split(/\s+/).length < 3) return false
  return ofAll.test(text) || (!isTitle(line) && saysSomething.test(text))
}

/** The same where lines are long sentences of a page, broken anywhere: only one that names all results or samples. */
export const saysSomethingOfAll = (text: string): boolean =>
  saysOfSample(text) || (saysSomethingOfResults(text) && ofAll.test(text))

/** The sample, and what is wrong with it, in Chinese, Korean, Arabic and Hebrew, which may write it together with other words. */
const sampleInOtherScripts = plainLetters(
  '标本|標本|样本|檢體|凝块|凝塊|脂血|乳糜|重抽|复查|複查|重采|重新采集|无效|無效|作废|作廢|검체|용혈|응고|재검|재채취|무효|العينة|انحلال|متحللة|דגימה|המוליזה',
)
/** The same in the languages of eastern and northern Europe, Indonesian and Vietnamese, in small letters without accents. */
const sampleFarther = [
  String.raw`образец|образц\p{L}*|проб[аыуеи]|пробирк\p{L}*|биоматериал\p{L}*|біоматеріал\p{L}*|материал[аоу]\p{L}*|матеріал[уо]\p{L}*|зразок|зразк\p{L}*|[гх]емол[иі]\p{L}*|сгуст\p{L}*|згуст\p{L}*|съсирек\p{L}*|хилез\p{L}*|л[иі]пем\p{L}*|повтор\p{L}*|недосто[вб]\p{L}*|аннулир\p{L}*|анульован\p{L}*|анулиран\p{L}*|ошиб\p{L}*|помилк\p{L}*|греш[кн]\p{L}*|предварительн\p{L}*|попередн[іє]\p{L}*|недействительн\p{L}*|невалид\p{L}*`,
  String.raw`uzor(?:ak|ka|ku|kom|ci|aka)|vzor(?:ec|ca|cu|cem)|hemoliz(?!ad)\p{L}*|hemolyz[aouy]\p{L}*|ugrus\p{L}*|ponov\p{L}*|epruvet\p{L}*|nevaze?c\p{L}*|neispravn\p{L}*|privremen\p{L}*|lipemi\p{L}*|proba|probei|esantion\p{L}*|cheag\p{L}*|repetat\p{L}*|eronat\p{L}*|provizori\p{L}*`,
  String.raw`mintat|mintak|mintaban|minta hemoli\p{L}*|alvad[et]k\p{L}*|ismetel\p{L}*|ervenytelen\p{L}*|teves\p{L}*|elozetes\p{L}*|δειγμα\p{L}*|αιμολυ\p{L}*|πηγμα\p{L}*|επαναλη\p{L}*|ακυρ\p{L}*|λανθασμεν\p{L}*|προσωριν\p{L}*`,
  String.raw`proov\p{L}*|hemolu\p{L}*|huub\p{L}*|kehtetu\p{L}*|parau\p{L}*|atkarto\p{L}*|nederig\p{L}*|recekl\p{L}*|megin\p{L}*|emin(?:ys|io|iai|i)|pakarto\p{L}*|negalioj\p{L}*|kresul\p{L}*|nayte(?:en|tta|essa|et)?|naytteessa|hyytyma\p{L}*|uusintana\p{L}*|virheelli\p{L}*|alustav\p{L}*|syni[ds]?|raudkornaleys\p{L}*|endurtak\p{L}*|ogild\p{L}*`,
  String.raw`skrzep\p{L}*|powtorz\p{L}*|niewazn\p{L}*|uniewaz\p{L}*|pihti\p{L}*|tekrar\p{L}*|gecersiz\p{L}*|tan huyet|vo hong cau|dong cuc|lay lai|lam lai|sampel\p{L}*|spesimen\p{L}*|membeku|diulang\p{L}*|lipemik`,
].join('|')
/** "This report answers for the sample that was sent alone", which Chinese laboratories print on each. */
const answersForSample =
  /本(?:报告|報告|检验报告|检测报告)单?[^。]{0,6}仅对[^。]{0,10}(?:标本|样本|標本|檢體)[^。]{0,4}负责/u
const sampleBeyond = new RegExp(String.raw`(?<!\p{L})(?:${sampleFarther})(?!\p{L})|${sampleInOtherScripts}`, 'u')

/** The sample in Czech, Portuguese, Dutch, Polish, Swedish, Turkish and Japanese, in small letters without accents. */
const sampleAbroad =
  /(?<!\p{L})(?:vzor(?:ek|ku|ka|ky|kem)|zkumavk\p{L}*|skúmavk\p{L}*|odběr\p{L}*|amostras?|(?:bloed)?monsters?|buis|buizen|probk\p{L}*|probek|provet|proven|proverna|numune\p{L}*)(?!\p{L})|検体|採血|溶血|乳ひ|再採取|再検|参考値/u

/** A sentence about the sample in a language in which fewer remarks are known. A day or a specimen behind a label is a field. */
function saysOfSample(text: string): boolean {
  const plain = plainLetters(text.replace(answersForSample, ' '))
  const isBeyond = sampleBeyond.test(plain)
  if ((!isBeyond && !sampleAbroad.test(plain)) || /\d{1,4}[./年-]\d{1,2}[./月-]\d/.test(text)) return false
  const [, value = ''] = /^[^:：]{2,30}[:：]\s*(.+)$/u.exec(text) ?? []
  if (specimensIn(value)?.length || (isBeyond && /^[\w./ -]*\d[\w./ -]*$/.test(value))) return false
  const isSentence =
    isJapaneseSentence(text) ||
    /\p{Script=Han}{5}/u.test(plain) ||
    text.trim().split(/\s+/).length >= FEWEST_WORDS_OF_SENTENCE
  return isSentence && remarkOf(text) !== 'ordinary'
}
const FEWEST_WORDS_OF_SENTENCE = 2

/** A line that says that results may not be used, are preliminary or corrected, or what is wrong with the sample. */
export const isVerdict = (text: string): boolean =>
  annuls(text) || specimenErrorsIn(text).length > 0 || withNote('final', text) !== 'final'

/** A line that says something of the sample or its results, and not how the page is made. */
export const isNote = (text: string): boolean => isVerdict(text) || saysSomethingOfResults(text)
