import { plainLetters } from '../facts/letters.ts'

export const interferents = ['HEMOLYSIS', 'LIPEMIA', 'ICTERUS'] as const
export type Interferent = (typeof interferents)[number]

/**
 * In small letters without accents: "hemolysis", "hamolyse", "emolisis"; not "hemolytic anemia", "hyperlipemia" and "hepatitis with
 * icterus", which are of the person.
 */
const words: Record<Interferent, string> = {
  HEMOLYSIS: String.raw`\bh?(?:ae|a|e)mol(?:[yi]s|[yi]z|yys|uus|ytisch)\w*|[гх]емол[иі][зт]|αιμολυ|${plainLetters('용혈')}`,
  LIPEMIA: String.raw`\blip(?:ae|a|e)m(?:i[aec]|isch|isk|iqu|y)\w*|\blactescen\w*|\bchylous\b|\bchylos\b|脂血|乳び|л[иі]пем|хилез|λιπαιμ|乳糜`,
  ICTERUS: String.raw`\bi[ck]ter(?:us|ic|isch|isk|iqu|ici)\w*|\bitter(?:o|ic[oai])\b|黄疸|黃疸|[иі]ктер|желтушн|ικτερ`,
}
const japaneseHaemolysis = '溶血'
const pattern = (one: Interferent) =>
  new RegExp(one === 'HEMOLYSIS' ? `${words[one]}|${japaneseHaemolysis}` : words[one], 'g')
const mention = { HEMOLYSIS: pattern('HEMOLYSIS'), LIPEMIA: pattern('LIPEMIA'), ICTERUS: pattern('ICTERUS') }

const denied = String.raw`(?:not|non|un|nicht|pas)\b[^.,;]{0,40}|(?:no|none|nor|nil|negative for|absence of|absent|without|free of|if|unless|when|previous|prior|last|earlier|kein\w*|ohne|keinerlei|sans|aucune?|absence d'|sin|ausencia de|senza|assenza di|ikke|ingen|uden|geen|zonder|inte|ingen|sem|nao)\b[^.;]{0,40}`
const deniedAbroad =
  '(?:без|нет|не|немає|няма|отсутствует|χωρις|δεν|bez|nema|brak|fara|nincs|nav|yok|无|無|未见|未見|没有)[^.,;]{0,20}'
const deniedBefore = new RegExp(String.raw`\b(?:${denied})$|(?<![\p{L}])${deniedAbroad}$`, 'u')
/** In a text on all of a report, "potassium may be raised by hemolysis" is said of hemolysis. Beside potassium it is a warning. */
const supposedBefore = /\b(?:may|can|could)\b[^.;]{0,40}$/
/** "Hemolysis, icterus and lipemia: none" denies all three. */
const others = String.raw`(?:\s*(?:,|/|&|and|or|und|oder|et|ou|y|e|o|og|och|en|of)?\s*(?:${Object.values(words).join('|')}))*`
const deniedBehind = new RegExp(
  String.raw`^${others}(?:\s*(?:index|indices|indice|grade|level|check|status))?\s*(?:[:=-]|\bis\b|\bwas\b|\bare\b|\bwere\b)?\s*\(?(?:(?:none|no|not|nil|negativ\w*|neg|absent\w*|absence|normal|0|keine?|nein|nicht|ninguna?|aucune?|nessuna|assent[ei]|ausente|ingen|nej|geen|nee|nao|n/a)\b(?![.,]\d)|\(?-\)?(?:$|[\s,;)]))`,
)
/** Traces of fat or bilirubin change no result that is known for it. */
const slightBefore =
  /\b(?:slight\w*|mild\w*|trace|faint\w*|leicht\w*|gering\w*|leger\w*|leve\w*|lieve\w*|let|lett|licht)\s*$/
const slightBehind =
  /^\s*(?:index|indice|grade|level)?\s*[:=]?\s*\(?(?:slight\w*|mild\w*|trace|leicht\w*|gering\w*|leger\w*|leve|lieve|1\s?\+|\+\s?1\b|\+(?!\s?[+\d]))/

const isSaid = (one: Interferent, plain: string, isBeside: boolean): boolean =>
  [...plain.matchAll(mention[one])].some(({ 0: word, index }) => {
    const [before, behind] = [plain.slice(0, index), plain.slice(index + word.length)]
    if (deniedBefore.test(before) || deniedBehind.test(behind)) return false
    if (!isBeside && supposedBefore.test(before)) return false
    return one === 'HEMOLYSIS' || !(slightBefore.test(before) || slightBehind.test(behind))
  })

/**
 * What a laboratory's text says to have been in the sample: free haemoglobin, fat, bilirubin. "None" behind it, or "no" before it,
 * denies that. `isBeside`: it stands beside one result, and warns of what may have changed it.
 */
export function interferentsIn(text: string, { isBeside = false } = {}): Interferent[] {
  const plain = plainLetters(text)
  return interferents.filter((one) => isSaid(one, plain, isBeside))
}

const indexNames: Record<Interferent, RegExp> = {
  HEMOLYSIS: /\bh?(?:ae|a|e)mol(?:[yi]s|ytisch)\w*|\bh[- ]?index\b|\bindex h\b|\bfree h(?:a?e)?moglobin\b|溶血/,
  LIPEMIA: new RegExp(String.raw`${words.LIPEMIA}|\bl[- ]index\b|\bindex l\b|\bturbidity\b`),
  ICTERUS: new RegExp(String.raw`${words.ICTERUS}|\bi[- ]index\b|\bindex i\b`),
}
/** mg/dL of free haemoglobin, from which haemolysis is seen. Lippi G et al., Clin Chem Lab Med 2018;56:718-727. */
const VISIBLE_MG_DL = 50
/** Steps of an index without a unit: 1 to 4 or 5 pluses. */
const MOST_STEPS = 5

export interface SentIndex {
  names: readonly string[]
  valueText: string
  value?: number | undefined
  unit?: string | undefined
  flag?: string | undefined
}

const clear =
  /\b(?:moderate\w*|marked\w*|gross\w*|severe\w*|strong\w*|heavy|present|positiv\w*|positif|yes|massig|stark|vorhanden|ja|oui|si|sim)\b/
const denies = /^(?:no|not|non|none|kein\w*|ohne|sans|sin|senza|ikke|ingen|geen|inte|sem|nao)\b/

/** What a result of its own, such as a hemolysis index of 3+ or 250 mg/dL, says to have been in the sample. */
export function interferentsOfIndex({ names, ...sent }: SentIndex): Interferent[] {
  const plain = names.map(plainLetters)
  return interferents.filter((one) => plain.some((name) => indexNames[one].test(name)) && isHigh(one, sent))
}

function isHigh(one: Interferent, { valueText, value, unit = '', flag = '' }: Omit<SentIndex, 'names'>): boolean {
  if (/^(?:H{1,2}|AA?|POS|DET)$/i.test(flag.trim())) return true
  const text = plainLetters(valueText).trim()
  const number = value ?? (/^\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : undefined)
  const isOfCells = one === 'HEMOLYSIS'
  if (number !== undefined) {
    const isStep = unit.trim() === '' && number >= (isOfCells ? 1 : 2) && number <= MOST_STEPS
    // Of fat and bilirubin, the number from which a result changes is another one for each method.
    if (!isOfCells) return isStep
    return /^g\/l$/i.test(unit.trim()) ? number * 100 >= VISIBLE_MG_DL : number >= VISIBLE_MG_DL || isStep
  }
  if (denies.test(text)) return false
  if (clear.test(text) || mention[one].test(text)) return true
  return isOfCells ? /\+|\b(?:slight\w*|mild\w*|leicht)\b/.test(text) : /\+\s?\+|[2-5]\s?\+|\+\s?[2-5]/.test(text)
}
