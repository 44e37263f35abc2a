import { isProvoked, matchName } from './guarded-match.ts'
import { matchInfection } from './infection-names.ts'
import { exactName, normaliseName } from './match.ts'
import { urinePanel } from './name-words.ts'
import type { Biomarker } from './schema.ts'
import { specimensIn } from './specimens.ts'

/** What is meant in urine by a name that means a quantity of blood elsewhere. */
const inUrine: Readonly<Record<string, string>> = {
  glucose: 'glucose_urine',
  creatinine: 'creatinine_urine',
  urea: 'urea_urine',
  uric_acid: 'uric_acid_urine',
  sodium: 'sodium_urine',
  potassium: 'potassium_urine',
  chloride: 'chloride_urine',
  calcium: 'calcium_urine',
  magnesium: 'magnesium_urine',
  phosphorus: 'phosphate_urine',
  albumin: 'albumin_urine',
  total_protein: 'protein_urine',
  amylase: 'amylase_urine',
  osmolality: 'osmolality_urine',
  hemoglobin: 'hemoglobin_strip',
  bilirubin_total: 'bilirubin_strip',
  wbc: 'leukocytes_urine',
  rbc: 'erythrocytes_urine',
}

/** Names that mean this in urine alone. */
const names: Readonly<Record<string, string>> = {
  specific_gravity_urine:
    'specific gravity,sp gr,sg,spez. gewicht,spezifisches gewicht,dichte,densité,densidad,densidade,peso specifico,ciężar właściwy,dansite,soortelijk gewicht,relativ densitet,densitet,比重',
  ph_urine: 'ph,ph-wert,ph wert,ph-värde',
  ketones_strip:
    'ketones,ketone,ketone bodies,ketonkörper,keton,corps cétoniques,cétones,cuerpos cetónicos,cetonas,corpi chetonici,chetoni,corpos cetônicos,ciała ketonowe,ketonen,ketoner,ケトン体',
  nitrite_strip: 'nitrite,nitrites,nitrit,nitritos,nitriti,nitrito,azotyny,nitriet,亜硝酸塩',
  urobilinogen_strip:
    'urobilinogen,urobilinogène,urobilinógeno,urobilinogeno,urobilinogênio,ürobilinojen,urobilinojen,urobilinogeen,ウロビリノーゲン',
  leukocytes_strip:
    'leukocyte esterase,leucocyte esterase,leukozytenesterase,estérase leucocytaire,esterasa leucocitaria,esterasi leucocitaria,esterase leucocitária,lökosit esteraz,esteraza leukocytarna',
  hemoglobin_strip:
    'blood,occult blood,blut,blut / ery,blut/ery,erythrozyten/blut,sang,sangre,sangue,krew,kan,bloed,blod,潜血',
  protein_urine: 'protein,proteins,eiweiß,eiweiss,protéines,proteínas,proteine,białko,eiwit,蛋白',
  glucose_urine: '糖',
  bilirubin_strip: 'bilirubin,bilirubine,bilirubina,bilirrubina,ビリルビン',
}
const byName = new Map(
  Object.entries(names).flatMap(([id, text]) => text.split(',').map((name) => [normaliseName(name), id] as const)),
)

const strip = /\s*[([](?:test ?strip|strip|dipstick|teststreifen|stix|remsa|bandelette|tira|striscia|stick)[)\]]$/iu

/** Whether a name says that a test strip was read, which are of urine. */
export const isOfStrip = (name: string): boolean => strip.test(name)

/** "U-Glukos (remsa)": the letter of the system, and what says that a strip was read. */
const bare = (name: string): string =>
  name
    .replace(/^U-(?=\p{L}{2})/u, '')
    .replace(/\[[^\]]*\]/g, ' ')
    .trim()
    .replace(
      /[\s,(]+(?:(?:in|im|i\.|en|dans les?|nelle) ?)?(?:ur|urines?|harn|urin|orina|urinaires?|urin[aá]ri[oa]s?)(?:[\s,]+(?:random|spot))?\)?$/iu,
      '',
    )
    .replace(strip, '')

/** "Glucose, serum" and "P-Kalium" are of no urine, whatever stands above them. */
const saysOther = (name: string): boolean =>
  /^f?(?:[SPB]|[avc]B|Sg)-/u.test(name) || (specimensIn(name) ?? []).some((id) => id !== 'urine')

/** The biomarker that a name means where the specimen is known to be urine. */
export function matchInUrine(catalogue: readonly Biomarker[], name: string): Biomarker | undefined {
  const exact = exactName(catalogue, name) ?? matchInfection(catalogue, name)
  if (exact?.specimens?.includes('urine')) return exact
  const plain = bare(name)
  const own = byName.get(normaliseName(plain))
  const meant = own || saysOther(plain) ? undefined : matchName(catalogue, plain)?.biomarker
  if (meant?.specimens?.includes('urine')) return meant
  const id = own ?? inUrine[meant?.id ?? '']
  return catalogue.find((one) => one.id === id)
}

const urineWords =
  /(?<!\p{L})(?:\p{L}*urin\p{L}*|moč[ei]?|u-?status|harn\p{L}*|orinas?|ecbu|ua|mocz|moczu|[iİ]drar|尿検査|尿定性|尿一般検査)(?!\p{L})/giu
/** What else stands in titles of tables of urine, without telling of another specimen or panel. */
const besides =
  /(?<!\p{L})(?:reflex to culture|analysis|routine|complete|w|with|reflex|microscop\p{L}*|macroscop\p{L}*|chemical|physical|examination|exam|esami|su|dipstick|bandelettes?|test|strips?|status|streifen\p{L}*|teststreifen|examen|exame|esame|chimico|fisico|dell[ea]|di|du|des|de|la|sistemátic[oa]|tipo|i|eas|complet[oa]|básico|elemental|y|e|et|und|and|sedim\p{L}*|badanie|ogólne|tam|tetk[iİ]\p{L}*|onderzoek|stick|mid|stream|midstream|clean|catch|specimen|sample|random|spot|micción|aislada|muestra)(?!\p{L})/giu

/** Whether a title speaks of nothing but urine. */
export const isOfUrineAlone = (section: string): boolean =>
  section.search(urineWords) >= 0 && !/\p{L}{2}/u.test(section.replace(urineWords, ' ').replace(besides, ' '))

/** Urine that was gathered for some time is another quantity. */
export const ofHours =
  /\b\d{1,2}[ -]?(?:h|hrs?|hours?|std\.?|stunden|stdn|heures?|horas?|ore|uurs?|godz|tim(?:mar|er)|saat)(?!\p{L})|時間|蓄尿|(?<!\p{L})(?:sammel|dygns)urin|dobow/iu

/**
 * Whether a result is one of urine for certain: its specimen is urine, or its title says so, and neither says anything else. A
 * title below that one may be of blood again.
 */
export function isOfUrine({ specimen, section = '' }: { specimen?: string; section?: string }): boolean {
  const named = specimensIn(specimen)
  const isNamed = named?.length === 1 && named[0] === 'urine'
  // Random urine is one sample of no set time; of other materials the word tells of no fasting.
  const taken = (specimen ?? '').replace(/\brandom\b/i, ' ')
  if (isProvoked(taken) || ofHours.test(`${specimen} / ${section}`)) return false
  if (section.trim() === '') return isNamed
  return (isNamed || named === undefined) && isOfUrineAlone(section) && !urinePanel.test(section)
}
