/**
 * Words of a text around a table that is about all of it: who speaks of the sample or the person speaks of all that was measured
 * in it. A line a language, in small letters without accents; `-` stands where a word may go on.
 */
const ofAllWords = `
  en: samples? specimens? tubes? blood draws? collection patients? persons? names? labels? mis-?label- reports? orders?
  en: all both every these above below everything mix(ed)?[-_]?up swap- switch- contaminat- dilut- infusions? drip iv
  de: -proben? rohrchen blut- entnahme befund- bericht alle obige- -verwechs- kontamin- verunreinig- infusion- verdunnt
  fr: echantillons? prelevements? sang rapport compte[-_]rendu tous toutes contamin- perfusion dilu-
  es: muestras? tubos? sangre pacientes? informe tod[oa]s contamina- diluid[oa]s?
  it: campion[ei] provett[ae] sangue pazient[ei] referto tutt[ie] contaminat- diluit- flebo
  da: prover? svar
  nl: monsters? buis
`

/** What is said to be haemolysed: such a sample changes some of its results alone. */
const sampleWords = `
  en: samples? specimens? tubes? blood
  de: probe blut
  fr: echantillons? prelevements?
  es: muestras?
  it: campion[ei]
  da: proven?
`

/** A word of a table as a part of an expression. */
export const partOf = (word: string) =>
  word.replace(/^-|-$/g, String.raw`\p{L}*`).replaceAll('_', ' ').replaceAll('(', '(?:')

const anyOf = (table: string): string =>
  table
    .split('\n')
    .flatMap((line) => line.replace(/^\s*[a-z]{2}: /, '').split(' '))
    .filter((word) => word !== '')
    .map(partOf)
    .join('|')

export const ofAll = new RegExp(String.raw`(?<!\p{L})(?:${anyOf(ofAllWords)})(?!\p{L})`, 'iu')

const haemolysed = String.raw`h?(?:ae|a|e)mol[yi]\p{L}*`
const sample = `(?:${anyOf(sampleWords)})`

/** "Sample haemolysed", "haemolysed sample", wherever it stands. */
export const burst = new RegExp(
  String.raw`${sample}(?!\p{L})(?: \p{L}+){0,3}? ${haemolysed}|${haemolysed} ${sample}`,
  'giu',
)
