import { isKnownUnit } from '../facts/convert.ts'
import { correctionIn } from './annulling.ts'
import { isHarmless, isVerdict } from './beside.ts'
import { saysSomething } from './pdf/section.ts'

/** A number with a unit behind it that is no bound and no end of an interval. */
const numberAndUnit = /(?<![<>≤≥=]\s?|[-–+±/x×^]\s?|[\d.,])(\d[\d.,]*)\s+([^\s;,)]{1,15}?)(?=[\s;,).]|$)/gu
const MOST_WORDS = 8

export interface Stray {
  name: string
  text: string
  unit: string
}

/** The result that a line of text outside of tables reads like: "Chloride 101 mmol/L", "Calcium: 2.3 mmol/L"; no sentence or legend. */
export function strayResultIn(line: string): Stray | undefined {
  const said = line.replace(/\s+/g, ' ').trim()
  if (said.length > 120 || saysSomething.test(said) || isHarmless(said) || isVerdict(said) || correctionIn(said))
    return undefined
  for (const { 1: text = '', 2: unit = '', index } of said.matchAll(numberAndUnit)) {
    const name = said
      .slice(0, index)
      .replace(/[\s:–-]+$/, '')
      .trim()
    if (!isKnownUnit(unit) || /^[\d%]+$/.test(unit)) continue
    const isName = /\p{L}{2}/u.test(name) && name.split(' ').length <= MOST_WORDS
    return isName ? { name, text, unit } : undefined
  }
  return undefined
}
