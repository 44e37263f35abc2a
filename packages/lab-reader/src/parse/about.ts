import { plainLetters } from '../facts/letters.ts'
import { annuls, correctionIn, isInconclusive } from './annulling.ts'
import { burst, ofAll } from './around-words.ts'
import { isKnownFlag } from './flags.ts'
import type { Observation } from './parsed.ts'
import { analytesIn } from './remark.ts'

/** Whether a text that annuls is about a result: it is about all, unless it has the mark of a footnote or names others. */
export function isAbout(text: string, one: Observation, all: readonly Observation[]): boolean {
  const mark = footnoteIn(text) ?? starOf(text, all)
  const marked = mark === undefined ? [] : all.filter((other) => hasMark(other, mark))
  if (marked.length > 0) return mark !== undefined && hasMark(one, mark)
  const clauses = text
    .split(/[.;!?\n]+(?=\s|$)/)
    .filter((clause) => annuls(clause) || correctionIn(clause))
    .map((clause) => plainLetters(clause.replace(supposed, '$1')).replace(burst, ' '))
  // "HIV: a further sample is needed before any conclusion" speaks of another sample, and each test of HIV has that name.
  const ofInfection = clauses.every((clause) => isInconclusive(clause))
    ? infectionNamed.exec(clauses.join(' '))?.[0]
    : undefined
  const isOfThat = ({ name }: Observation) => wordsOf(name).includes(` ${ofInfection} `)
  if (ofInfection && all.some(isOfThat)) return isOfThat(one)
  // "LDL is not valid when triglycerides are above 4.5 mmol/L" is about LDL.
  const subject = text.replace(supposed, '$1')
  const named = all.filter(({ name }) => isNamedIn(subject, name))
  // "TSH is withdrawn. A new sample is requested": that one speaks of a sample to come.
  const isOfNamed = clauses.some((clause) => named.some(({ name }) => isNamedIn(clause, name)))
  const ofThis = isOfNamed ? clauses.map((clause) => clause.replace(newSample, ' ')) : clauses
  if (named.length === 0 || clauses.length === 0 || ofThis.some((clause) => ofAll.test(clause))) return true
  const known = named.map(({ name }) => wordsOf(name)).join(' ')
  // "Potassium and phosphate are not reliable" may mean the row of phosphorus, too.
  const isOfMore = clauses.some((clause) => analytesIn(clause).some((word) => !known.includes(` ${word} `)))
  return isOfMore || isNamedIn(subject, one.name)
}

const supposed =
  /(\S)\s+(?:when|if|wenn|falls|når|när|hvis|lorsque|cuando|quando|wanneer|indien|gdy|jeśli|pokud)\s[^.;!?\n]*/giu
const newSample =
  /\b(?:(?:new|fresh|further|another|second|repeat) (?:blood )?(?:samples?|specimens?|tubes?|draw|collection)|neue[rsn]? \p{L}*(?:probe|entnahme)|nouve(?:au|l) (?:prelevement|echantillon)|nueva (?:muestra|extraccion)|nuovo (?:prelievo|campione)|nova (?:amostra|colheita|coleta)|nieuw monster|(?:ny|nytt) (?:prove|provtagning|prov|prove?taking))\b/gu

/** The infection that the names of all its tests hold: those of hepatitis B and syphilis do not. */
const infectionNamed = /\b(?:hiv|vih|htlv)\b(?!.*\b(?:hepatit\w*|syphil\w*|hbv|hcv|hbsag|treponem\w*)\b)/

/** Whether a text speaks of the sample, the person or the report, so that it is about all results. */
export const speaksOfAll = (text: string): boolean => ofAll.test(plainLetters(text).replace(burst, ' '))

/** A star before a text is the mark of a footnote where names have it, or values behind their number. */
function starOf(text: string, all: readonly Observation[]): string | undefined {
  const star = /^(\*{1,3}) ?[^\s*]/.exec(text.trim())?.[1]
  const isStarred = ({ name, valueText }: Observation) =>
    name.endsWith(` ${star}`) || (/\d ?\*+$/.test(valueText) && valueText.endsWith(star ?? ''))
  return star && !speaksOfAll(text) && all.some(isStarred) ? star : undefined
}

/** "*1", "2)", "†" before a text; a mark that is a flag as well is none. "c = " is one where a value ends with that letter. */
export function footnoteIn(text: string): string | undefined {
  const [, letter] = /^([a-z]) ?[=:)] ?\S/.exec(text.trim()) ?? []
  if (letter) return ` ${letter}`
  const [, mark] = /^((?:[*†‡§#]+ ?\d{0,2}|[([]?\d{1,2}[)\]]|[¹²³⁴⁵])) ?\S/u.exec(text.trim()) ?? []
  return mark && !isKnownFlag(mark) ? mark.replaceAll(' ', '') : undefined
}
export const hasMark = ({ flag = '', valueText, name }: Observation, mark: string): boolean =>
  // A name may end with a letter: "vitamin c".
  /^ [a-z]$/.test(mark)
    ? /\d/.test(valueText) && [mark, `${mark})`].some((one) => valueText.endsWith(one))
    : flag === mark || [valueText, name].some((text) => text.endsWith(mark) && text !== mark && !endsWord(text, mark))

/** The end of "Apolipoprotein (A1)" is no mark. */
const endsWord = (text: string, mark: string): boolean =>
  /^\d/.test(mark) && /[\p{L}\d]$/u.test(text.slice(0, -mark.length))

const wordsOf = (text: string): string =>
  ` ${plainLetters(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `

/** A lipoprotein has its name without the cholesterol in it, too. */
const lipoprotein = /^( v?[lh]dl ).+/

/** Whether the first words of a name stand in a text: "Potassium" of "Potassium, serum". */
export function isNamedIn(text: string, name: string): boolean {
  const words = wordsOf(name.split(/[,([]/)[0] ?? '').replace(lipoprotein, '$1')
  return words.trim().length > 2 && wordsOf(text).includes(words)
}
