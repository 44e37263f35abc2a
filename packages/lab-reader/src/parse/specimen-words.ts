import { interferentsIn, interferentsOfIndex } from './interference.ts'
import { titlesOfOthersAbroad } from './others-abroad.ts'
import type { Observation, SpecimenError } from './parsed.ts'

const negated = /\b(no|not|non|without|negative for|absence of|if|may|can|could)\b[^.;]{0,40}$/i

const words: [SpecimenError, RegExp][] = [
  [
    'QNS',
    /\bQNS\b|\b(quantity|volume|sample|specimen) (was |is )?(not sufficient|insufficient)\b|\binsufficient (quantity|volume|sample|specimen)\b/i,
  ],
  [
    'DELAYED_SAMPLE_DELIVERY',
    /\b(stability (was )?exceeded|exceed(s|ed) stability|(sample|specimen) (too old|expired|received late|delayed)|delayed (delivery|receipt|separation)|prolonged transit)\b/i,
  ],
]

/**
 * The errors of a sample in a laboratory's text. Words after "no" or "if" do not count; nor do those after "may", unless the text
 * stands beside one result.
 */
export function specimenErrorsIn(text: string, { isBeside = false } = {}): SpecimenError[] {
  const others = words.flatMap(([error, pattern]) => {
    const match = pattern.exec(text)
    return match && !negated.test(text.slice(0, match.index)) ? [error] : []
  })
  return [...interferentsIn(text, { isBeside }), ...others]
}

const notOwn =
  /\b(?:donor|(?:quality |negative |positive )?controls?(?: (?:material|sample|specimen|level|serum))?|qc|eqa|calibrat(?:or|ion)|proficiency|blank|pool(?:ed)?|reference material|spender\w*|kontroll(?:e|material|probe)|kalibrator|donneur|donante|donatore|contrôle|calibrateur)\b/iu

/** Whether the words for a specimen say that it is not the person's: a donor's, control material, a calibrator. */
export const isNotOwn = (specimen: string): boolean => notOwn.test(specimen.replaceAll('_', ' '))

const pool = [
  String.raw`pooled(?! (?:data|analys[ie]s|estimates?|cohorts?|human|normal|plasma|reference))|pool(?:s|ing)? (?:of|from|size)|in (?:a )?pools?|(?:sample|specimen|swab|saliva|proben|pcr|rachen)[- ]?pool(?:s|ing)?|pool[ _-]?(?:id|no\.?|nr\.?|n[º°]|number|nummer|code)?[ _.:#-]*\d+`,
  String.raw`im pool|gepoolte?\p{L}*|pool(?:probe|test|pcr|größe|nummer)\p{L}*|misch(?:probe|pool)\p{L}*|échantillons? (?:poolé|groupé|mélangé)e?s?|pool de|muestras? (?:agrupadas?|mezcladas?)|amostras? agrupadas?|campion[ei] raggruppat[oi]|pool di|gepoold\p{L}*|poolad\p{L}*|puljet\p{L}*`,
].join('|')
const poolWord = new RegExp(String.raw`(?<!\p{L})(?:${pool})(?!\p{L})`, 'iu')

/** Whether a text says that several people's samples were measured as one: "Tested in a pool of 5", "POOL-118". */
export const tellsOfPool = (text: string): boolean => poolWord.test(text)

const donation = [
  String.raw`(?:donation|donor unit|blood (?:unit|bag|component|product))s? (?:no\.?|number|id|identification|#|screen\p{L}*|test(?:s|ing)?|date)|date of donation|(?:product|unit|component) (?:for|intended for|issued (?:to|for)|reserved for)`,
  String.raw`(?:blut)?konserven?(?:-?nr\.?|nummer)|spenden?(?:-?nr\.?|nummer|datum)|(?:blut)?spende vom|spendertestung|produkt bestimmt für|poches? n[°ºo]\.?|(?:numéro|n°) (?:de |du )?(?:don|poche)|don du (?=\d)|(?:analyses?|qualification) du don|produit destiné à`,
  `(?:bolsa|donación|doação) n[º°o.]|(?:número|n[º°]) d[ea] (?:la )?(?:donación|bolsa|doação)|fecha de (?:la )?donación|data da doação|produ[ct]+o destinado a|(?:sacca|donazione) n[°º.]|numero (?:di |della )?(?:donazione|sacca)|donazione del|data (?:della )?donazione|prodotto destinato a`,
  `donatienummer|donationsnummer|tapp(?:e|ning)s?nummer|numer donacji|data donacji|číslo odběru dárce`,
].join('|')
/** Whether a line speaks of a unit of donated blood: its donor was tested, not who receives it. */
export const tellsOfDonation = (text: string): boolean =>
  new RegExp(String.raw`(?<!\p{L})(?:${donation})(?!\p{L})`, 'iu').test(text)

const people = [
  'donor|recipient|partner|maternal|paternal|f(?:o?e)tal|f(?:o?e)tus|husband|wife|spouse|mother|father|parent|child|baby|newborn|neonate|infant|sibling|brother|sister|twin|relative|family member',
  'spender|empfänger|mutter|vater|ehemann|ehefrau|partnerin|neugeborene[sr]?|säugling|kind',
  'donneu(?:r|se)|receveu(?:r|se)|mère|père|conjointe?|nouveau-né|enfant|bébé',
  'donante|receptora?|madre|padre|pareja|esposa|marido|recién nacido|bebé|hij[oa]',
  'donat(?:ore|rice)|ricevente|neonato|coniuge|moglie|figli[oa]|donator|modtager|moder|mor|fader|far|ægtefælle|nyfødt|barn',
].join('|')
const persons = String.raw`^(?:(?:results?|values?|samples?|ergebnisse|werte|probe|résultats|valeurs|resultados|valores|muestra|risultati|valori|campione|svar|prøve) (?:of|for|from|der|des|du|de la|del|de|della|dello|fra) )?(?:the |your )?(?:${people})(?:s|'s|’s)?(?: \d| (?:results?|values?|samples?|specimens?|blood|serum|plasma)| of (?:the )?(?:patient|customer))?$`
const materials = [
  String.raw`\b(?:quality controls?|controls? (?:level|material|ser(?:um|a)|plasma|samples?|values?|results?|lot)|(?:level|normal|pathological|positive|negative|low|high) controls?|calibrat(?:or|ion)s?|proficiency|external quality|qc|eqa|neqas|riqas)\b|^controls?$|\bextern(?:al|t|e|o|a)? kontroll?\p{L}*|kontroll?program`,
  `qualitätskontroll|kontroll?(?:e$|en$|material|prob|wert|serum)|s(?:érum|uero|iero|oro) (?:de |di )?(?:contrôle|control|controllo|controle)|controleserum|surowica kontrolna|kalibrat|ringversuch|contrôles? (?:de qualité|interne|externe|niveau)|étalon|calibrateur|control(?:es)? de calidad|calibrador|controll[oi] (?:di qualità|interno|livello)|calibrator[ei]|kvalitetskontrol|kontrolprøve|kalibrator`,
].join('|')

/** Titles of what is not the person's: another person, control material, a calibrator. */
export const ofAnother = new RegExp(
  `${persons}|${materials}|^(?:spender|donneu|donante|empfänger)|${titlesOfOthersAbroad}`,
  'iu',
)

const material = new RegExp(materials, 'iu')
const isLevel = /^(?:level|lvl|stufe|niveau|nivel) ?\d+ /i

/** Whether a person's name is that of control material: "CONTROL LEVEL 1". */
export const isMaterialName = (name: string): boolean =>
  [material, maker].some((words) => words.test(name.trim())) || material.test(name.trim().replace(isLevel, 'level '))
const maker =
  /^(?:qc|calibrators?) |^zz+[ -]?test|\b(?:test|dummy|fake|demo) ?(?:patient|person|user)\b|do ?not ?use|\b(?:bio-?rad|lypho ?chek|liqui ?chek|multiqual|preci(?:control|norm|path)|seronorm|randox|thermo mas|westgard)\b/i

const LONGEST_TITLE = 5
/** "QC passed" speaks of the run. */
const ofRun = /\b(?:pass\w*|ok|valid\w*|accept\w*|within|satisf\w*|good|in range|bestanden|conforme)\b/i

/** Labels and headings of the kind of animal that a sample is of. */
export const speciesLabel =
  /^(?:(?:patient )?species|animal(?: type| species)?|(?:animal |dog |cat )?breed|tierart|rasse|spezies|espèce|especie|specie|diersoort|djurslag|djurart|dyreart|gatunek|espécie|druh zvířete|eläinlaji)$/i
const human = /^(?:hum(?:an|ain|ano|ana|anus)?s?|mensch|homo sapiens|person|umano|menneske|mens|-+|n\/?a)$/i
export const isAnimal = (species: string): boolean => !human.test(species)

/** "Baby of Nora Valle, twin 1", "Neugeborenes von Nora Valle", "Donor for the patient". */
const bornOf =
  /^\W*(?:(?:umbilical )?cord blood|(?:bab(?:y|ies)|newborn|infant|neonate|f(?:o?e)tus|twin(?: [ab\d])?) of|b\/o|(?:mother|father|donor|husband|wife|partner|sibling|brother|sister) (?:of|for) (?:the )?(?:patient|recipient|index)|(?:neugeborenes|säugling|kind) (?:von|der)|(?:bébé|nouveau-né) de|(?:recién nacido|rn) de|neonato di|recém-nascido de)(?!\p{L})/iu

/** Whether clinical information begins with whose sample it is, if it is not the person's. */
export const saysAnother = (text: string): boolean => bornOf.test(text)

/** A title without the lot at its end: "Quality control level 2, lot 4471". */
export const withoutLot = (title: string): string =>
  title.replace(/,? (?:lot|batch|charge|lote|lotto)(?: (?:no\.?|number|nr\.?))?[ :#]*[\w-]*\d[\w-]*$/i, '')

/** Whether a title is one of another person or of control material. */
export function isOfAnother(title: string): boolean {
  const words = withoutLot(title.trim().replace(/^[-=*#\s([]+|[-=*#\s:)\]]+$/g, ''))
  const parts = words.split(/\s*\/\s*/)
  return words.split(/\s+/).length <= LONGEST_TITLE && !ofRun.test(words) && parts.some((part) => ofAnother.test(part))
}

/** A request, panel or report of these is not the person's, wherever the word stands: "Newborn bilirubin", "UK NEQAS sample A", "Demo". */
const orderedFor = [
  String.raw`newborns?|neonat\p{L}*|f(?:o?e)t(?:al|us)|(?:umbilical )?cord(?: blood)?|bab(?:y|ies)|infants?|donors?|father|paternal|husband|wife|spouse|partner(?! lab)|siblings?|brother|sister|twins?(?! (?:\p{L}+ ){0,2}(?:labs?|laborator(?:y|ies)|clinics?|hospitals?|health|medical|pathology)(?!\p{L}))`,
  String.raw`neugeborene\p{L}*|nabelschnur\p{L}*|säugling\p{L}*|spender\p{L}*|vater|ehemann|ehefrau|partnerin|zwilling\p{L}*|pasgeborene?|navelstreng\p{L}*|vader`,
  `nouveaux?-nés?|cordon(?: ombilical)?|donneu(?:r|se)s?|père|conjointe?|jumeaux?|recién nacidos?|cordón(?: umbilical)?|donantes?|padre|pareja|gemel[oi]|cordone(?: ombelicale)?|donat(?:ore|rice|ori)|recém-nascidos?|cordão|doador(?:es|as?)?`,
  String.raw`nyfødte?|nyfödda?|navle(?:snor|streng)\p{L}*|navelsträng\p{L}*`,
].join('|')
/** The same of control material and of samples that try an assay. */
const quality = [
  String.raw`(?:uk )?neqas|eqas?|riqas|rcpaqap|instand|ringversuch\p{L}*|proficiency|cap survey|(?:external|internal) quality|quality controls?|i?qc|controls? (?:level|material|samples?)|level \d+ controls?|calibrat(?:or|ion)s?|qualitätskontroll\p{L}*|(?:blind(?:ed)?|split) (?:duplicates?|samples?|specimens?|controls?|repeats?)|contrôles? de qualité|control de calidad|controllo (?:di )?qualità|kvalitetskontroll?\p{L}*`,
  String.raw`(?:stability|recovery|linearity|precision|validation|carry-?over|method comparison|mixing) (?:stud(?:y|ies)|tests?|samples?)|spiked|pooled|demo(?:nstration)?|dummy|test patient|paternity|maternity (?:tests?|testing|analysis|stud(?:y|ies)|index|dna)|vaterschafts\p{L}*|paternit[éàa]`,
].join('|')
const [ofAnotherOrder, ofQuality] = [`${orderedFor}|${quality}`, quality].map(
  (words) => new RegExp(String.raw`(?<!\p{L})(?:${words})(?!\p{L})`, 'iu'),
) as [RegExp, RegExp]

/** Whether what was ordered, by the name of its request, panel or report, is of another person or of control material. */
export const isOrderOfAnother = (title: string): boolean =>
  ofAnotherOrder.test(title.replaceAll('_', ' ')) && !ofRun.test(title)

/** Whether a reason for an order is that it tries the laboratory: "Proficiency testing event 2". */
export const isOfQuality = (reason: string): boolean => ofQuality.test(reason) && !ofRun.test(reason)

/** Whether the name or address of a system says that it is none of production: "LIS TRAINING", "EPIC_TST". */
export const isOfTraining = (system: string): boolean =>
  /(?<![a-z])(?:training|trn|schulung|sandbox|uat|staging|demo|simulat(?:or|ion))(?![a-z])|[ _-](?:tst|test|dev|testsystem)$/i.test(
    system.trim(),
  )

/** Whether a title says that the person's own results follow. */
export const isOfPatient = (title: string): boolean =>
  /^\W*(?:(?:the |your )?(?:results? (?:of|for|from) )?(?:the )?(?:index )?(?:patient|customer|client|person|self|own results?|proband|paciente|paziente)(?:in)?)\b/i.test(
    title,
  )

/** The errors of a sample that results of their own name, such as a hemolysis index. */
export const specimenErrorsOfResults = (observations: readonly Observation[]): SpecimenError[] =>
  distinct(
    observations.flatMap(({ name, alsoCalled = [], ...one }) =>
      interferentsOfIndex({ names: [name, ...alsoCalled], ...one }),
    ),
  )

/** The errors of a sample that notes beside its results name. */
export const specimenErrorsBeside = (observations: readonly Observation[]): SpecimenError[] =>
  observations.flatMap(({ comment, value, valueText }) => [
    ...(comment ? specimenErrorsIn(comment, { isBeside: true }) : []),
    ...(value === undefined ? specimenErrorsIn(valueText) : []),
  ])

export const distinct = <T>(items: readonly T[]): T[] => [...new Set(items)]

const materialCode =
  /^(?:(?<blood>s|se|ser|p|pl|b|bl|wb|vb|e|eb|edta)|(?<urine>u|ur|uri|hu)|c|ci|l|li|lq|csf|cs|st|stu|sp|f|fl|pf|sf)$/i
/** Short codes of materials, of which one is urine and one is blood: "S", "U", "L". */
export const areMaterials = (cells: readonly string[]): boolean => {
  const found = cells.map((cell) => materialCode.exec(cell))
  return found.every(Boolean) && found.some((one) => one?.groups?.urine) && found.some((one) => one?.groups?.blood)
}
