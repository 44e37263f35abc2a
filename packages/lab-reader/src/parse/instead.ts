import { plainLetters } from '../facts/letters.ts'
import { headingsAbroad } from './headings-abroad.ts'
import type { Holds } from './pdf/section.ts'
import { isOfAnother } from './specimen-words.ts'

/** What stands in the place of a result of this sample, word by word, in small letters without accents: a line a language. */
const words: Readonly<Record<'earlier' | 'legend', string>> = {
  earlier: `
    previous prior earlier historic historical history past cumulative former mean average avg median goal target
    vorwert vorwerte vorbefund vorherig vorheriger fruher fruherer historisch verlauf mittelwert durchschnitt zielwert
    anterieur anterieure anteriorite precedent precedente historique moyenne mediane objectif
    anterior previo previa historico historica promedio media mediana objetivo
    storico storica medio valore_medio obiettivo
    vorige vorig eerder eerdere gemiddelde gemiddeld mediaan streefwaarde
    tidligere forrige gennemsnit gjennomsnitt middelvaerdi middelverdi
    tidigare foregaende medelvarde medel
    media_movel alvo
    edellinen edelliset
    前回 前回値 平均 平均値 目標値`,
  legend: `
    lod loq lloq uloq lod/loq sd s.d cv cv% limit_of_detection limit_of_quantification limit_of_quantitation detection_limit
    quantitation_limit quantification_limit reporting_limit measuring_range
    nachweisgrenze bestimmungsgrenze messbereich standardabweichung
    limite_de_detection limite_de_quantification ecart-type ecart_type
    limite_de_deteccion limite_de_cuantificacion desviacion_estandar
    limite_di_rilevabilita limite_di_quantificazione deviazione_standard
    detectielimiet bepalingsgrens standaarddeviatie
    detektionsgraense detektionsgrense detektionsgrans kvantifieringsgrans standardavvikelse
    limite_de_deteccao limite_de_quantificacao desvio_padrao
    検出限界 定量限界`,
}
const listed = new Map(
  Object.entries(words).flatMap(([holds, list]) =>
    list
      .trim()
      .split(/\s+/)
      .map((word) => [word.replaceAll('_', ' '), holds as 'earlier' | 'legend'] as const),
  ),
)

/** With the headings of goals, means and earlier results in other languages. */
const meaning = new Map([
  ...headingsAbroad.flatMap(([heading, kind]) =>
    kind === 'goals' || kind === 'previous' ? [[plainLetters(heading), 'earlier' as const] as const] : [],
  ),
  ...listed,
])

/** Of whom a mean or a limit is: "Gjennomsnitt laboratorium", "moyenne du laboratoire", "mean of all samples". */
const ofMany =
  /\b(?:(?:of|in|for|der|des|du|de|del|della|do|av|af|van) )?(?:(?:the|our|all|la|het) |l'|dell')*(?:lab(?:s|or\w*)?|population|bevolkerung|populasjon\w*|poblacion|popolazione|populacao|cohorte?|kohorte|groupe?|gruppen?|grup[op]o|customers?|kunden?|client[eis]*|kunder|klanten|all|alle|tous|todos|tutti|samples?|proben|echantillons|muestras|campioni|amostras|prov(?:er|e)|monsters|run|batch|series?|lauf)\b/g

/** "Previous result", "Mittelwert (n=3)", "average of 3 months": what may stand beside such a word. */
const beside =
  /^(?:the |your )|\b(?:results?|values?|ergebnis\w*|werte?|befunde?|resultats?|valeurs?|resultados?|valor(?:es)?|risultat[oi]|valor[ei]|uitslag(?:en)?|waarden?|svar|vaerdi(?:er)?|varden?|verdi(?:er)?)\b|\b(?:of|over|uber|sur|de|su|over) (?:the )?(?:last |past )?\d+ (?:days?|weeks?|months?|years?|tage?|wochen?|monate?|jahre?|jours|semaines|mois|ans|dias|semanas|meses|anos)\b|[([][^)\]]*[)\]]/g

/**
 * What a cell, a label or a whole note says that its value is, where it is no result of this sample: an earlier one or a mean, a
 * limit of the method, control material. Undefined for any other text, and for one that says more.
 */
export function insteadOfResult(text: string): Exclude<Holds, 'results'> | undefined {
  if (text.length > MOST_CHARACTERS || text.trim() === '') return undefined
  const bare = plainLetters(text)
    .replace(/^\s*[([](.*)[)\]]\s*$/, '$1')
    .replace(/^[\s"'*-]+|[\s"'.:*-]+$/g, '')
  const alone = bare.replace(beside, ' ').replace(ofMany, ' ').replace(/\s+/g, ' ').trim()
  const known = [bare, alone, alone.replace(/(?<=..)s$/, '')].flatMap((one) => meaning.get(one) ?? [])
  return known[0] ?? (isOfAnother(text) ? 'notOwn' : undefined)
}
const MOST_CHARACTERS = 60

const anyWord = new RegExp(
  `(?<!\\p{L})(?:${[...listed.keys()].map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')).join('|')})[sen]?(?!\\p{L})`,
  'u',
)

/** The first such word in a text that says more: "Previous potassium 4.6 mmol/L". */
export const insteadNamedIn = (text: string): string | undefined => anyWord.exec(plainLetters(text))?.[0]
