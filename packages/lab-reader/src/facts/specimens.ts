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

/** The ids of the specimens that a text names by words or codes: empty where none is known, undefined where it is silent. */
export function specimensIn(text: string | undefined): string[] | undefined {
  const said = text?.replaceAll('_', ' ').trim() ?? ''
  if (silent.test(said)) return undefined
  const named = [...said.replace(uricAcid, ' ').matchAll(anyWord)].flatMap((match) => {
    const index = match.slice(1).findIndex((group) => group !== undefined)
    return words[index]?.id ?? []
  })
  const coded = said.split(/[^A-Z\d]+/).flatMap((token) => byCode.get(token) ?? [])
  return [...new Set([...named, ...coded])]
}

/** Whether a biomarker may come from all of these specimens. A definition without a list is one of blood. */
export const mayComeFrom = ({ specimens = [...bloodSpecimens] }: Biomarker, named: readonly string[]): boolean =>
  named.every((id) => specimens.includes(id))

/** What comes from blood also from a finger prick, where a laboratory found that it makes no difference. */
export const alsoCapillary = <T extends Biomarker>(one: T): T =>
  mayComeFrom(one, ['blood']) ? { ...one, specimens: [...(one.specimens ?? bloodSpecimens), 'capillary_blood'] } : one

/** Whether a text names nothing but blood, serum or plasma. */
export const isBlood = (named: readonly string[]): boolean =>
  named.length > 0 && named.every((id) => bloodSpecimens.includes(id))

/** The ids of the table, of which a biomarker's `specimens` are some. */
export const specimenIds: readonly string[] = table.specimens.map(({ id }) => id)

/** The names of specimens, in English. */
export const labelsOf = (ids: readonly string[]): string =>
  table.specimens
    .filter(({ id }) => ids.includes(id))
    .map(({ label }) => label.toLowerCase())
    .join(', ')

/** The code of SNOMED CT and the name of the one specimen that a text names; undefined where it names none, or several. */
export function codedSpecimen(text: string | undefined): { code: string; label: string } | undefined {
  const ids = specimensIn(text) ?? []
  const found = table.specimens.filter(({ id }) => ids.includes(id))
  const [code] = found[0]?.snomed ?? []
  return found.length === 1 && found[0] && code ? { code, label: found[0].label } : undefined
}
