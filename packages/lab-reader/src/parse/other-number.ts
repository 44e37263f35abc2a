import { normaliseUnit } from '../facts/convert.ts'
import { areSameUnit } from '../facts/ucum.ts'
import { isNamedIn } from './about.ts'
import { correctionIn } from './annulling.ts'
import { withDoubt } from './beside.ts'
import { insteadNamedIn } from './instead.ts'
import type { Observation } from './parsed.ts'
import { isProse } from './remark.ts'
import { isUsable } from './status.ts'

/** Of another time or day, of a limit, or of what a number would mean. */
const ofElse =
  /(?<!\p{L})(?:previous\p{L}*|prior|earlier|former\p{L}*|last|before|initial\p{L}*|originally|baseline|ago|since|reported as|vor(?:wert|befund|her)\p{L}*|früher\p{L}*|zuvor|letzte\p{L}*|précéden\p{L}*|antérieur\p{L}*|anterior\p{L}*|previ[oa]\p{L}*|precedent\p{L}*|tidligere|tidigare|eerder\p{L}*|vorige|if|when|wenn|falls|si|cuando|quando|se|als|hvis|om|above|below|over|under|than|least|most|up to|exceed\p{L}*|between|über|unter|oberhalb|unterhalb|ab|zwischen|supérieur\p{L}*|inférieur\p{L}*|superior\p{L}*|inferior\p{L}*|entre|or (?:more|less|higher|lower|above|below)|cut-?offs?|limits?|thresholds?|targets?|goals?|aim\p{L}*|ranges?|intervals?|desirable|optim\p{L}*|sufficien\p{L}*|deficien\p{L}*|adequate|recommend\p{L}*|diagnos\p{L}*|defin\p{L}*|criteri\p{L}*|guideline\p{L}*|considered|detection|referenz\p{L}*|grenz\p{L}*|ziel\p{L}*|empf\p{L}*|objecti\p{L}*|objetivo|cible|seuil|umbral|soglia|corresponds?|equivalent|equals|example|z\.?b|e\.?g|calculated|increase\p{L}*|decrease\p{L}*|differ\p{L}*|rise|fall)(?!\p{L})|[<>≤≥=]|\d\s?[-–]\s?\d|\bto\s\d|\d[/.-]\d{1,2}[/.-]\d|(?<!\d)(?:19|20)\d\d(?!\d)/iu
const isOfElse = (sentence: string) => ofElse.test(sentence) || insteadNamedIn(sentence) !== undefined
/** "A TSH of 31 mIU/L", "The potassium is 5.9 mmol/L", "Ferritin: 1050 ng/mL", "Your ferritin (8 ug/L)". */
const stating =
  /^[^.:;,\d]{2,60}?(?:\s(?:of|is|was|at|von|bei|ist|war|beträgt|betrug|de|est|était|à|es|fue|foi|era|di|è|av|på|er|var|van|w|wynosi)\s|:\s|\s\()(\d+(?:[.,]\d+)?)\s?([^\s\d.,;)]\S*)/iu

/** "TSH should read 3.2 mIU/L", "Erratum: TSH = 3.2". */
const correcting =
  /(?<!\p{L})(?:correct(?:ed|ion|s)|amend(?:ed|ment)|revised|errat(?:um|[ao])|addendum|(?:should|please) read|(?:is|was) (?:wrong|incorrect|an error)|repla(?:ces|ced by)|in place of|instead of|misprint|korr(?:ektur|igier)\p{L}*|berichtig\p{L}*|statt|nachtrag|falsch|rectifi\p{L}*|corrig\p{L}*|correctif|au lieu de|erron\p{L}*|correg\p{L}*|correcci[oó]n|en lugar de|corre(?:tto|zione)|anziché|rettet|rettelse|rättat|rättelse|gecorrigeerd|foutief)(?!\p{L})/iu
/** No date, time, year or range. */
const everyNumber = /(?<![\p{L}\d.,/:-]|\d\s?[-–]\s?)\d+(?:[.,]\d+)?(?![.,]?\d|[/:]\d|\s?[-–]\s?\d)/gu
/** Such a number is the one that was wrong: "instead of 2.3", "(was 2.3)", "The 2.3 mIU/L is wrong". */
const wrong =
  /(?:\b(?:was|were|war|from|von|statt|instead of|in place of|replaces|as|au lieu de|de|en lugar de|anziché|di|fra|från|van) |\()[<>]?\d+(?:[.,]\d+)?(?![.,]?\d)|\d+(?:[.,]\d+)?(?: [^\s\d]+)? (?:is|was|ist|war) (?:wrong|incorrect|an error|replaced|falsch)/giu

/** Whether a sentence says that another number is right than the value. */
function correctsTo(sentence: string, value: number): boolean {
  // "Corrected from 95 to 77" has a reason of its own.
  if (!correcting.test(sentence) || correctionIn(sentence)) return false
  const right = [...sentence.replace(wrong, ' ').matchAll(everyNumber)]
    .filter(([digits]) => !/^(?:19|20)\d\d$/.test(digits))
    .map(([digits]) => Number(digits.replace(',', '.')))
  return right.length > 0 && !right.includes(value)
}

/** A number that a sentence beside a result gives instead of its own: "A TSH of 31 mIU/L is …" below 3.1. */
export function otherNumberIn(text: string, { name, value, unit = '' }: Observation): string | undefined {
  if (value === undefined || unit === '') return undefined
  return text
    .split(/[.;!?]+(?=\s|$)|\n/)
    .map((sentence) => sentence.trim())
    .find((sentence) => isNamedIn(sentence, name) && (states(sentence, value, unit) || correctsTo(sentence, value)))
}

function states(sentence: string, value: number, unit: string): boolean {
  const [, digits = '', behind = ''] = stating.exec(sentence) ?? []
  const number = Number(digits.replace(',', '.'))
  const isOfUnit = areSameUnit(normaliseUnit(behind.replace(/[.,;)]+$/, '')), normaliseUnit(unit))
  const step = 10 ** -(digits.split(/[.,]/)[1]?.length ?? 0)
  const isRounded = Math.abs(number - value) <= 0.5 * step + 1e-9
  return digits !== '' && isOfUnit && !isRounded && !isOfElse(sentence)
}

/** Results beside which a sentence names another number wait: which of both is right, the laboratory alone knows. */
export function withOtherNumbers(observations: readonly Observation[], around: readonly string[] = []): Observation[] {
  const words = observations
    .flatMap(({ name, value, doubt, valueText, raw }) => {
      if (doubt === 'unreadable') return raw
      if (doubt !== undefined) return []
      // "Corrected calcium" is a test of its own.
      if (correcting.test(name) && (value === undefined || isProse(name))) return `${name} ${valueText}`
      return value === undefined ? valueText : []
    })
    .filter((text) => isProse(text) || correcting.test(text))
  return observations.map((one) => {
    if (!isUsable(one.status)) return one
    const other = [one.comment ?? '', ...around, ...words].flatMap((text) => otherNumberIn(text, one) ?? [])[0]
    return other === undefined ? one : withDoubt(one, 'contradicted', other)
  })
}
