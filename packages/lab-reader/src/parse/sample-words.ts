import { plainLetters } from '../facts/letters.ts'
import { Phase } from '../facts/schema.ts'

const not =
  /\b(?:non|not|no)[- ]?fasting\b|\bfasting\s*[:=?-]+\s*(?:no|n|false|unknown)\b|\b(?:random|post[- ]?prandial|after (?:a )?meal|fed) (?:sample|specimen|state|glucose|draw)\b|\bpatient (?:was|had) (?:not fasted|eaten)\b|\bnicht nüchtern\b|\bnon (?:à jeun|a digiuno)\b|\bno en ayunas\b|\bikke fastende\b|\b(?:drawn|collected|taken|obtained|sample|specimen)\b[^.;<>]{0,30}\b(?:after|post) (?:a |the |her |his )?(?:light |heavy |big )?(?:breakfast|lunch|dinner|supper|meal|food|snack|eating)\b|(?<!\b(?:if|when|unless|whether) (?:the )?)\b(?:patient|person|client|she|he) (?:ate|had (?:breakfast|lunch|dinner|a meal))\b/i
const fasted =
  /\b(?:fasting|fasted) (?:sample|specimen|state|draw|collection|blood)\b|\b(?:sample|specimen|patient) (?:is |was |has been |had )?(?:fasting|fasted)\b|\bfasting\s*[:=?-]+\s*(?:yes|y|true|\d{1,2} ?h)|^\s*fasting\s*[.!]?\s*$|\bnüchtern(?:probe|blut)?\b|\bà jeun\b|\ba digiuno\b|\ben ayunas\b|\bfastende\b/i

/** Whether a text says that a sample was taken fasting; a text that only speaks of limits of fasting says nothing. */
export function fastingIn(text: string | undefined): boolean | undefined {
  if (text === undefined || text === '') return undefined
  return not.test(text) ? false : fasted.test(text) ? true : undefined
}

const asksFasting =
  /^(?:is |was )?(?:fasting|fasted|nüchtern|à jeun|a jeun|en ayunas|ayunas|a digiuno|digiuno|fastende|nuchter)(?: (?:status|state|sample))?\s*\??$/i

/** What a cell says below a heading that asks whether the person had fasted. */
export function fastingUnder(heading: string, cell: string): boolean | undefined {
  if (!asksFasting.test(heading.trim().replaceAll('_', ' '))) return undefined
  if (/^(?:y|yes|true|1|x|fasting|fasted|j|ja|oui|o|s|si|sí|sì)$/i.test(cell)) return true
  return /^(?:n|no|false|0|non|non[- ]?fasting|not fasting|nein|nej|nee)$/i.test(cell) ? false : undefined
}

const phases: readonly [Phase, RegExp][] = [
  ['follicular', /\b(?:folli[ck]el|foll?i[ck]ul(?:ar(?:e[nr]?|n(?:a|ej))?|aire))(?:phase)?\b/],
  [
    'ovulation',
    /\b(?:(?<!(?<!du )cycle )(?:peri)?ovula(?:tion|cion|tory|toire|toria|torisch(?:e[nr]?)?)\b(?! (?:cycle|zyklus))|ovulationsphase|owulacyjn(?:a|ej)|mid ?cycle|mi cycle|zyklusmitte|(?:mitte des zyklus|mitad del ciclo|milieu (?:du|de) cycle|(?:srodek|polowa) cyklu))\b/,
  ],
  ['luteal', /\bluteal?(?:e[nr]?|n(?:a|ej))?(?:phase)?\b/],
  ['postmenopausal', /\b(?:post? ?menopau[sz]\w*|po ?menopauz\w*|after menopause)\b/],
]
/** It stands alone: the others only name a phase beside the word for it, as "ovulation induction" does not. */
const wholeNames = /phase\b|^(?:mid|mi |zyklusmitte|mit|milieu|srodek|polowa|po|after)/
const ofPhase = /\b(?:(?:zyklus)?phase|fase|faz(?:a|ie|y))\b/

/** Who or what is in that phase, after which a name of a phase is no title above limits. */
const subjects =
  /\b(?:patient(?:e|in)?|pacient[ek]?|paciente|pacjentka|person|client|she|sample|specimen|blood|blut\w*|serum|probe|entnahme|muestra|sangre|prelevement|echantillon|sang|krew|probka|pobrano|collected|drawn|taken|obtained)\b/
const besides =
  /^(?:phase|fase|faz[aey]|fazie|stage|cycle|menstrual|menstruel|zyklus|zyklusphase|ciclo|cyklu|miesiaczkowego|menstruacyjnego|status|estado|menopausal|menopausico|wom[ae]n|females?|frau|mujer|femme|kobieta|the|a|of|in|is|was|at|during|im|der|die|des|aus|del?|la|el|en|du|une|pendant|w|z|na|podczas|zur|wahrend|sie|ist|war|esta|est|jest|early|late|mid|fruhe?n?|spaten?|temprana|precoce|tardia|tardive|wczesn[ae]j?|pozn[ae]j?|collection|abgenommen|entnommen|tomada|recogida|effectue|day|cd|tag|zyklustag|dia|jour|dzien)$/
const days = /\b(?:day|cd|tag|zyklustag|dia|jour|dzien)\b/
const mayName = /fol+i|lut|ovul|owul|cycle|cyklu|ciclo|zyklus|m[eé]nop/i
const limits =
  /\d\s*(?:[-–—]|to|bis|a|à|do)\s*\d|[<>≤≥]\s*\d|\b(?:ref|range|interval|interwa|normal|norm|limit|referen|valores|valeurs|werte|zakres)/i

/**
 * The phases of the cycle in which a text says that the person was. A sentence that holds any other word, such as "not" or
 * a number, or more than one phase, says nothing: intervals are printed for each phase. Neither does a day of the cycle.
 * `range`: the interval that is printed beside it.
 */
export function phasesIn(text: string | undefined, range = ''): Phase[] {
  if (text === undefined || !mayName.test(text)) return []
  const hasLimits = limits.test(text) || mayName.test(range)
  const found = text.split(/[;|\n^]|[.!](?=\s|$)/).flatMap((sentence) => {
    const plain = plainWords(sentence)
    const named = phases.filter(([, pattern]) => pattern.test(plain))
    const [[phase, pattern] = []] = named
    if (phase === undefined || pattern === undefined || named.length > 1 || /\?\s*$/.test(sentence)) return []
    const name = pattern.exec(plain)?.[0] ?? ''
    const others = plain.replace(pattern, ' ')
    const isWhole = wholeNames.test(name) || ofPhase.test(others)
    const isTitle = hasLimits && !subjects.test(others) && !/:\s*\p{L}/u.test(sentence)
    return isWhole && !isTitle && saysNoMore(others, phase) ? [phase] : []
  })
  return distinctPhases(found)
}

/** Letters without marks. In French the word for menopause alone says that it is past. */
const plainWords = (text: string): string =>
  plainLetters(text.normalize('NFC').replace(/(?<![\p{L}-]|(?:pré|péri)\s)ménopaus/giu, 'postmenopaus'))
    .replace(/[^\p{L}\p{N}.]+/gu, ' ')
    .trim()

function saysNoMore(words: string, phase: Phase): boolean {
  const others = words.split(' ').filter((word) => word !== '' && !besides.test(word) && !isSubject(word))
  const numbers = others.filter((word) => /^\d{1,2}(?:st|nd|rd|th)?$/.test(word))
  if (numbers.length > (days.test(words) ? 1 : 0)) return false
  const isYes = (word: string) => phase === 'postmenopausal' && /^(?:yes|y|true|ja|oui|si|tak)$/.test(word)
  return others.every((word) => numbers.includes(word) || isYes(word))
}
const isSubject = (word: string): boolean => subjects.exec(word)?.[0] === word

/** In the order of the cycle, each once. */
export const distinctPhases = (found: readonly Phase[]): Phase[] => Phase.options.filter((one) => found.includes(one))

/** Facts of a sample, which hold for all that was measured in it. */
export interface SampleFacts {
  fasting?: boolean
  phases?: Phase[]
}

/** What texts say of their sample, line by line; a denial of fasting counts first. `coded`: what codes say of fasting. */
export function factsIn(
  texts: readonly (string | undefined)[],
  coded: readonly (boolean | undefined)[] = [],
): SampleFacts {
  const told = [...coded, ...texts.flatMap((text) => text?.split('\n').map(fastingIn))]
  const fasting = told.includes(false) ? false : told.find((one) => one !== undefined)
  const found = distinctPhases(texts.flatMap((text) => phasesIn(text)))
  return { ...(fasting !== undefined && { fasting }), ...(found.length > 0 && { phases: found }) }
}

const agent = String.raw`(?:glu[ck]ose|acth|synacthen|glucagon|insulin|clonidine?|arginine?|gnrh|lhrh|trh|crh|dexa\p{L}*|load|challenge|stimulation)(?!\p{L})`
const provoked = new RegExp(
  [
    String.raw`\bdexamethason\p{L}*|\b(?:synacthen|cosyntropin|tetracosactid\p{L}*|ogtt)\b`,
    String.raw`\b(?:suppression|stimulation|tolerance) test`,
    String.raw`\b(?:post|after|nach|après|tras|dopo|efter) (?:\d+ ?m?g )?${agent}`,
    String.raw`\b\d+ ?(?:min\p{L}*|h|hrs?|hours?) (?:post|after|nach) (?:\S+ ){0,3}?${agent}`,
  ].join('|'),
  'iu',
)
/** A comment on what is expected in such a test is longer, or has limits. */
const LONGEST_STATE = 80
const general =
  /[<>≤≥]|\b(?:should|expected|normal|reference|if|when|recommend\w*|consider|suggest\w*|no|not|without)\b/i

/** Whether a short text says that the sample was taken after a dose or a load, such as "120 min after glucose". */
export const isAfterDose = (text: string): boolean =>
  text.length <= LONGEST_STATE && provoked.test(text) && !general.test(text)

/** The same in other languages: who measured, or where, and not that somebody came home to take the sample. */
const selfAbroad = [
  String.raw`\bselbst(?:messung|gemessen|test|kontroll)\p{L}*|\bheim(?:messung|test)\p{L}*|\bzu ?hause gemessen|\b(?:vom|von der|durch den|durch die) patient(?:en|in) (?:gemessen|angegeben|mitgeteilt|eingetragen)|\bpatientenangaben?(?!\p{L})`,
  String.raw`\bauto(?:mesure|contrôle|surveillance)s?(?!\p{L})|\b(?:mesurée?s?|réalisée?s?) (?:à la maison|à domicile)|\b(?:déclaré|rapporté|communiqué|mesuré|saisi|indiqué)e?s? par (?:le |la )?patiente?`,
  String.raw`\bauto(?:medición|medida|control|monitoreo|análisis)(?!\p{L})|\bmedid[oa]s? en (?:casa|(?:el |su )?domicilio)|\b(?:referid|declarad|informad|aportad|medid)[oa]s? por (?:el |la )?paciente`,
  String.raw`\bauto(?:misurazion[ei]|controll[oi]|monitoraggio)(?!\p{L})|\bmisurat[oaie] (?:a casa|a domicilio|in casa)|\b(?:riferit|dichiarat|comunicat|misurat|inserit|riportat)[oaie] d(?:al|alla|a) paziente`,
  String.raw`\bauto(?:medição|monitorização|monitoramento|teste)(?!\p{L})|\bmedid[oa]s? em casa|\b(?:referid|declarad|informad|medid)[oa]s? pel[oa] (?:paciente|utente)`,
  String.raw`\b(?:zelf|thuis)(?:meting|gemeten|controle|test)\p{L}*|\bdoor (?:de )?patiënt (?:gemeten|opgegeven|doorgegeven)|(?<!\p{L})(?:hjemme|selv)mål(?:ing|t)\p{L}*|(?<!\p{L})(?:hem|egen|själv)mätning\p{L}*|(?<!\p{L})samokontrol\p{L}*|(?<!\p{L})pomiar\p{L}* (?:domow|własn)\p{L}*|(?<!\p{L})měřeno doma`,
].join('|')

const self = new RegExp(
  String.raw`\bself[- ]?(?:measure\p{L}*|monitor\p{L}*|test(?:ed|ing)?|reported)|\bpatient[- ](?:measured|reported)\b|\bhome[- ](?:measure\p{L}*|monitor\p{L}*|meter)|\bhome (?:blood )?(?:glucose|sugar) (?:logs?|diar(?:y|ies)|readings?|values?)|\b(?:measured|reported|provided|supplied|entered|stated|given|recorded) by (?:the )?(?:patient|client|customer|participant|user|mother|parents?)\b|\bmeasured at home\b|\bglucometer\b|\b(?:blood )?glucose meter\b|\b(?:personal|patient) (?:glucose |blood glucose )?(?:meter|monitor|device)\b|\bpoct patient\b|${selfAbroad}|\b(?:predicted|forecast(?:ed)?|estimated) (?:by|from|with|using) (?:an? |the )?(?:\p{L}+ )?(?:models?|regression|machine learning)(?!\p{L})|\b(?:predicted|forecast(?:ed)?|estimated|calculated|derived) (?:by|from|with|using) (?:an? |the )?(?:\p{L}+ )?(?:population\p{L}*|survey|earlier|previous|historic\p{L}*)|\bimput(?:ed|ation)\b|^\W*(?:predicted|forecast(?:ed)?|simulated|guessed|assumed) (?:from|by|with|using)\b|\b(?:modell?ed|simulated|forecast|extrapolated) (?:value|result|from|by)\b|^\W*(?:predicted|simulated|forecast(?:ed)?|assumed|modell?ed|guessed)\W*$|\bcarried forward\b|\blast (?:known|recorded|available) (?:value|result)\b|\b(?:population|model|system) default\b|\bplaceholder\b|\baus (?:früheren|vorherigen) werten (?:berechnet|geschätzt)|\bcontinuous glucose\b|\bnon-?invasive|\btranscutan\p{L}*|\bpulse (?:co-?)?oximet\p{L}*`,
  'iu',
)

/** Whether a method or a device is one with which people measure themselves, measures through the skin, or not at all. */
export const isSelfMeasured = (text: string): boolean => self.test(text)

/** Whether a short note says so of a result. */
export const isSaidSelfMeasured = (text: string): boolean =>
  text.length <= LONGEST_STATE && self.test(text) && !general.test(text)
