import { plainLetters } from '../facts/letters.ts'

/** Without accents: "hemolysis", "Hämolyse", "hémolysé", "emólisis", "hæmolyseret"; not "hemolytic anemia". */
const mention = /\bh?(?:ae|a|e)mol(?:[yi]s|[yi]z|ytisch)\w*/g
const deniedBefore =
  /\b(?:(?:not|non|un|nicht|pas)\b[^.,;]{0,40}|(?:no|none|nor|nil|negative for|absence of|absent|without|free of|if|unless|when|may|can|could|previous|prior|last|earlier|kein\w*|ohne|keinerlei|sans|aucune?|absence d'|sin|ausencia de|senza|assenza di|ikke|ingen|uden)\b[^.;]{0,40})$/
const deniedBehind =
  /^(?:\s*(?:index|indice|grade|level|check|status))?\s*(?:[:=-]|\bis\b|\bwas\b)?\s*\(?(?:none|no|not|nil|negativ\w*|neg|absent|absence|normal|0|keine?|nein|nicht|ninguna?|aucune?|absente|nessuna|assente|ingen|n\/a)\b(?![.,]\d)/

/** Whether a laboratory's text says that the red cells of this sample had burst. "None" behind it, or "no" before it, denies that. */
export function mentionsHaemolysis(text: string): boolean {
  const plain = plainLetters(text)
  return [...plain.matchAll(mention)].some(
    ({ 0: word, index }) =>
      !deniedBefore.test(plain.slice(0, index)) && !deniedBehind.test(plain.slice(index + word.length)),
  )
}

const indexName = /\bh?(?:ae|a|e)mol(?:[yi]s|ytisch)\w*|\bh[- ]?index\b|\bfree h(?:a?e)?moglobin\b/
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

/** Whether a result of its own, such as a hemolysis index of 3+ or 250 mg/dL, says that the red cells had burst. */
export function isHaemolysisIndex({ names, valueText, value, unit = '', flag = '' }: SentIndex): boolean {
  if (!names.some((name) => indexName.test(plainLetters(name)))) return false
  if (/^(?:H{1,2}|AA?|POS|DET)$/i.test(flag.trim())) return true
  const text = plainLetters(valueText).trim()
  const number = value ?? (/^\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : undefined)
  if (number !== undefined) {
    if (/^g\/l$/i.test(unit.trim())) return number * 100 >= VISIBLE_MG_DL
    return number >= VISIBLE_MG_DL || (unit.trim() === '' && number >= 1 && number <= MOST_STEPS)
  }
  return (
    /\+|\b(?:slight\w*|mild\w*|moderate\w*|marked\w*|gross\w*|severe\w*|strong\w*|heavy|present|positiv\w*|positif|yes|h?(?:ae|a|e)mol\w+|leicht|massig|stark|vorhanden|ja|oui|si)\b/.test(
      text,
    ) && !/^(?:no|not|non|none|kein\w*|ohne|sans|sin|senza|ikke|ingen)\b/.test(text)
  )
}
