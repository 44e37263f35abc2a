import { plainLetters } from '../facts/letters.ts'
import { specimensIn } from '../facts/specimens.ts'
import type { Observation } from './parsed.ts'
import { analytes } from './remark.ts'

/**
 * What laboratories call orders, panels and parts of reports, besides the names of biomarkers and specimens: a line a language, in
 * small letters without accents. `-` stands where a word may go on. A word that is not here may say that something else was
 * measured than the person's blood at rest: "PTH, FNA washout", "Insulin after breakfast", "Apheresis, bag 1".
 */
const table = `
  en: panels? profiles? batter(y|ies) screen(s|ing)? tests? testing groups? stud(y|ies) levels? counts? functions? analys[ie]s assays? reports? results? laborator(y|ies) labs? routine basic comprehensive complete compl? full general extended standard special specific miscellaneous misc other others mixed more limited
  en: wellness health checks? checkups? up fatigue pcos ultimate annual yearly executive mens? womens? males? females? premium essentials? advanced core plus total ultra mini maxi gold silver platinum starter package
  en: chemistr(y|ies) chem biochem(istry)? clinical h(a?e)matolog(y|ical) h(a?e)mato coag(ulation)? clotting serolog(y|ical) immuno(logy|chemistry|assay)? endocrin(e|ology) microbiology virology infectious infections? acute chronic diseases? toxicology drugs? allerg(y|ies|ens?|ic)
  en: metaboli(c|sm) renal kidneys? liver hepatic cardiac heart cardio(vascular)? risk lip(id|ids)? lipoproteins? thyroid hormon(e|es|al) fertility reproductive an(a?e)mia iron status bones? minerals? vitamins? electrolytes? elec lytes inflamm(ation|atory) diabet(es|ic) sugar tumou?r markers? oncology autoimmun(e|ity) antinuclear nuclear nutrition(al)? trace elements? metals? heavy stress adrenal sports? fitness muscle
  en: antibod(y|ies) antigens? immunoglobulins? proteins? electrophoresis viral load immunity immune vaccination titers? titres? sti std sexual syphilis cascade hepatitis hiv hcv hbv cmv ebv torch pcr naat? rt-?pcr rna dna igg igm iga ige elisa eia ifa ia ab abs ag lc-?ms ms
  en: with without wo w and or of for in on the by to if ref(lex)? reflex(ed|es|ive)? rflx rfl conf(irm)? confirmation confirmatory indicated cascade auto(mated)? manual diff(erential)? differentiation smear film indices index hil platelets? plt red white cells? wbc rbc hemograms? haemogram
  en: ac cbc fbc bmp cmp lft lfts rft rfts tft tfts u ue ues esr acr ua ana ena vit b-?12 hs(-?crp)? poc uacr iron-?studies
  en: cultures? susceptib- pathogens? food sensitivit(y|ies) amplification includ(es|ing) multiple blood gas(es)? arterial urinalysis spot dried home finger prick follow repeat well man woman cycle day days visit safety workup h(a?e)mochromatosis dot like gc card respiratory bronchial asthma tolerance oral ogtt gtt thrombophilia celiac coeliac arthritis rheumat- prenatal antenatal booking bloods? fractionat(ed|ion) crea prog preconception menopause pre-?op
  en: diagnostic rates? refl titers? patterns? dx types? tma urogenital nmr lipoprofile graph iq egfr eag binding capacity dialysis equilibrium mass volume moles units? presence substance fraction method surface core envelope be virus viruses bacteri(a|al) parasit(e|es|ic|ology) fung(al|us) yeast covid sars cov influenza pregnancy abuse alcohol lead organ primary care monitor(ing)? baseline initial requests? orders? observations? measurements? determination examinations? investigations? rapid point service procedure package program(me)? assessment evaluation index optimal optimum longevity vitality performance energy ageing aging
  en: ven[ei]puncture phlebotomy draw venipuncture ; fr: ponction veineuse prelevement prise ; de: (blut)?entnahme venenblut- ; es: extraccion venos[oa] puncion ; it: prelievo venos[oa]
  en: free intact direct ratio quotient gap anion high sensitiv(e|ity) ultrasensitive quant(itative)? qual(itative)? qn ql gen(eration)? molecular interpretation comments? calc(ulation|ulations|ulated)? estimated am pm random fasting venous whole ser(um)? plas(ma)? bld edta heparin gel capillary urinalysis mcg ng dl ifcc ngsp levels-
  en: ct ng vaginal (endo)?cervical urethral swabs? obstetrics? obstetrical gyn(a?ecology|a?ecological)? autoantibod(y|ies) subsets? travel(lers?)? fever myeloma lymphoma leuk(a?e)mia chains? rheumatolog(y|ical) neurolog(y|ical) dermatolog(y|ical) gastro(enterology)? nephrolog(y|ical) urolog(y|ical) pulmonary bleeding hypertension obesity osteoporosis neuropathy dementia weight haematinics hematinics monthly weekly quarterly mononucleosis mono tick borne lyme arthropathy infertility amenorrh(o?e)a hirsutism menstrual contraception gout palpitations dizziness hair loss sleep mood gut bowel digestive colorectal prostate breast ovarian pancreas pancreatic cholesterol
  en: therapeutic tdm vancomycin gentamicin tobramycin amikacin digoxin lithium valpro(ate|ic) phenytoin carbamazepine lamotrigine levetiracetam phenobarbital theophylline tacrolimus c[iy]closporine? sirolimus everolimus methotrexate acetaminophen paracetamol salicylates?
  de: (auto|schilddrusen)?antikorper antinuklea- virologie (kinder|differential|differenzial)?blutbild blutstatus kleines grosses klein gross klinische- chemie labor laborwerte laborbefund laborprofil labordiagnostik befund untersuchung(en)? hamatolog- gerinnung (infektions|hepatitis|virus)?serologie hormon(e|profil|status)? schilddruse(n(hormone|werte|parameter|profil|funktion))? leber(werte|profil|funktion|enzyme)? niere(n(werte|profil|funktion))? lipid(e|status|profil|werte)? fettstoffwechsel (eisen|zucker|knochen|lipid|purin)?stoffwechsel vitamin- elektrolyt- eisen- diabetes- tumormarker entzundung- allgemein- profil basis- vorsorge- (gross|klein)er? immunolog- endokrinolog- spurenelemente und mit parameter werte? bestimmung- allergie allergie(diagnostik|test) rheuma(tologie|faktoren)? herz(werte|profil|enzyme)? knochenstoffwechsel (vorsorge)?untersuchung
  fr: virolog- bandelette urin- collecte antibiogramme biochim- hematolog- hemogramme numeration formule sangu- bilan lipid- hepat- rena- thyroid- marti- hormon- immunolog- serolog- ionogramme general- complete? standard et avec de du des la le en vitamines? coagulation hemostase glycemi- inflammatoire marqueurs nfs examens? chimie
  es: sistematico sedimento antibiograma horas bioquimic- hematolog- hemograma hematic- complet- perfil lipidic- hepatic- renal- tiroid- tiroide- hormon- serolog- inmunolog- coagulacion quimica sangu- sanguine- general- basic- vitamin- electrolit- de del la las y con en suero analitica funcion estudio hierro marcador- panel orina biometria
  it: chimica clinica ematolog- emocromo profilo lipidic- epatic- renal- tiroide- ormon- sierolog- immunolog- coagulazione esam- complet- di del della e con vitamin- elettrolit- marcator- funzionalita metabolism-
  nl: volledig klinische chemie hematologie bloedbeeld (bloed|laboratorium)?onderzoek algemeen hormonen schildklier(functie|hormonen)? lever(functie|waarden)? nier(functie|waarden)? vetten lipiden vitamin- serologie en met stolling diversen
  pt: bioquimica hematologia hemograma complet- perfil lipidic- hepatic- rena- tire- tiro- hormon- sorolog- imunolog- coagula- e com do da dos exames?
  sv: (bio)?kemi klinisk(a|e)? hematolog- blod(status|prov|prover|prove|prover)? (lever|lipid|jarn|njur)status hormon(er)? lever(prover|funktion)? njur(prover|funktion)? lipider vitamin- medisinsk -kjemi kjemi bloðrannsokn serologi och og med prov prover prove prover
  pl: morfologia krwi krew biochemia hematologia hormony lipidogram badani- ogolne tarczyc- profil serologia mocz
  cs: biochemi- hematologi- krevni obraz krve serologie hormony
  tr: hemogram biyokimya hormon- tam kan sayimi tahlil- testi
  fi: kliininen kemia veri perusverenkuva pvk verenkuva
  hu: kemia verkep laboratorium
  ru: биохими- гемат- общий анализ крови клинический
  he: כימיה ספירת דם
  el: βιοχημ- αιματολογ-
  ja: 飯前血糖 生化学 生化学検査 血液 血液検査 血液学 血算 血球 免疫 免疫血清 内分泌 検査 一般 糖代謝 脂質 感染症
`

const known = new RegExp(
  `^(?:${table
    .split(/\s+/)
    .filter((word) => word !== '' && word !== ';' && !/^[a-z]{2}:$/.test(word))
    .map((word) => word.replace(/^-(?!\?)/, String.raw`\p{L}*`).replace(/-$/, String.raw`\p{L}*`))
    .join('|')})$`,
  'u',
)

/** Codes of an order are no words: "LAB156", "99ROC". */
const wordsIn = (name: string): string[] =>
  plainLetters(name.replaceAll(/\b24[- ]?h(?:(?:ou)?rs?|oras|eures|td)?\b/gi, ' ')).match(
    /(?<![\p{L}\p{N}])\p{L}{2,}(?![\p{L}\p{N}])/gu,
  ) ?? []

const isUsual = (word: string) => known.test(word) || analytes.has(word) || (specimensIn(word)?.length ?? 0) > 0

/** Whether a text has no other words than names of orders, or those that `also` names. */
export const hasUsualWords = (text: string, also: RegExp): boolean =>
  wordsIn(text).every((word) => also.test(word) || isUsual(word))

/**
 * A result waits below the name of an order or panel that holds a word which such names do not have: it may say that something else
 * was measured. What the result's own name holds, too, is judged with that name.
 */
export function withOrder(observation: Observation, names: readonly string[]): Observation {
  const own = new Set([observation.name, ...(observation.alsoCalled ?? [])].flatMap(wordsIn))
  const strange = names.find((name) => !wordsIn(name).every((word) => own.has(word) || isUsual(word)))
  return strange === undefined ? observation : withStrange(observation, [`the order is named ${strange}`])
}

/** A result that nothing else holds waits beside what nothing accounts for. */
export const withStrange = (observation: Observation, strange: readonly string[]): Observation =>
  strange.length === 0 ? observation : { ...observation, strange: [...(observation.strange ?? []), ...strange] }
