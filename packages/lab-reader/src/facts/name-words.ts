import table from './data/specimens.json' with { type: 'json' }

/** Spellings of one word; guarded-match.ts removes a plural s. */
export const sameWord = new Map(
  Object.entries({
    hemoglobin: 'haemoglobin hgb hb',
    hematocrit: 'haematocrit hct',
    cholesterol: 'chol',
    triglyceride: 'trig trigs',
    cell: 'cells',
    ratio: 'ratios rati',
    vitamin: 'vit',
    absolute: 'abs',
    total: 'gesamt',
    lymphocyte: 'lymph lym',
    monocyte: 'mono monos',
    eosinophil: 'eo eos eosin',
    basophil: 'baso basos',
    neutrophil: 'neu neut neuts neutro',
    estradiol: 'oestradiol',
    ab: 'antibody antibodie ak antikorper antistoff',
    ag: 'antigen',
    sulfate: 'sulphate so4',
    ldl: 'ldlc',
    hdl: 'hdlc',
    vldl: 'vldlc',
    a1c: 'hba1c hgba1c',
    phosphatase: 'phosphatas phos',
  }).flatMap(([word, others]) => others.split(' ').map((other) => [other, word] as const)),
)

// No single letters: Hemoglobin S and DHEA-S are other biomarkers than Hemoglobin and DHEA.
/** Words that name the usual specimen, the method or the kind of quantity, and not what is measured. */
export const neutralWords = new Set(
  [
    'serum plasma blood venous poc in of or by the level lvl estimation lab test quant quantitative qn measured',
    'standardised standardized content automated auto manual calc calculated calculation cal method immunoassay ia eia clia ecl icma lc ms msm cia',
    'ser plas bld sp serpl serplas serplbld mcnc scnc ncnc acnc ccnc mfr vfr rto entvol entmass count edta ifcc ngsp dcct',
  ].flatMap((words) => words.split(' ')),
)

/** The specimen words among them: an alias counts without them, too. */
export const specimenWords = new Set(['serum', 'plasma', 'blood', 'or', 'in'])

/** The same in German, French, Spanish, Italian and Danish. */
const otherSpecimensAbroad = String.raw`speichel\w*|schwei(?:ß|ss)|haare?|ejakulat|sperma|fruchtwasser|kapillar\w*|muttermilch|knochenmark|salive|salivaires?|salivar(?:es|i)?|selles|fécal\w*|sueur|cheveux|sperme|liquide \p{L}+|lcr|crachats?|expectorations?|capillaire|orinas?|orin\w*|heces|fecale?s?|sudor\w*|cabello|semen|esputo|líquido \p{L}+|capilar|feci|sudore|capelli|sputo|liquido \p{L}+|capillare|spyt|afføring|fæces|sved|hår|sæd|spinalvæske|ekspektorat`

/** The same in Czech, Portuguese, Dutch, Polish, Swedish, Turkish and Japanese. Urea and uric acid begin like urine in some of them. */
const otherSpecimensFarther = String.raw`šlapimo(?! rūgšt)|moč[ei]?|stolic[ea]|slin[ay]|výpot(?:ek|ok)|punktát|výtěr|mozkomíšní mok|kostní dřeň|plodová voda|u-?status|fezes|suor|escarro|líquor|sêmen|esperma|zaragatoa|ontlasting|speeksel|hersenvocht|zweet|\p{L}+vocht|mocz|moczu|moczem|kału?|ślin[ay]|plwocin[ay]|nasieni[ae]|płyn \p{L}+|wymazu?|szpiku?|avföring|saliv|likvor|svett|sädesvätska|(?:led|pleura)vätska|benmärg|[iİ]drar\p{L}*|gaita|dışkı|tükürük|balgam|\p{L}+ sıvısı|sürüntü|尿(?![酸素])\p{L}*|\p{L}*(?:検尿|蓄尿)\p{L}*|便\p{L}*|糞便\p{L}*|唾液\p{L}*|髄液\p{L}*|喀痰\p{L}*|胸水\p{L}*|腹水\p{L}*|関節液\p{L}*`

/** Languages whose words for specimens stand in the table of specimens alone. */
const farther = 'ru uk bg hr sl ro hu el et lv lt is sk fi no ca vi id zh ko ar he'.split(' ')
const usual = ['serum', 'plasma', 'blood', 'dried_blood']
const joinsWords = /^[\p{Script=Han}\p{Script=Hangul}]{2,}/u

/** The words of these languages. Chinese and Korean write them together with what is measured. */
const otherSpecimensBeyond = table.specimens
  .filter(({ id }) => !usual.includes(id))
  .flatMap(({ words }) => farther.flatMap((language) => (words as Record<string, string[]>)[language] ?? []))
  .filter((word) => word.length > 1)
  .map((word) => word.replace(/ \*$/, String.raw` \p{L}+`).replace(/\*$/, String.raw`\p{L}*`))
  .map((word) => (joinsWords.test(word) ? String.raw`\p{L}*${word}\p{L}*` : word))
  .join('|')

/** What was taken with a needle, and not from a vein: "Thoracentesis", "Lumbalpunktion", "punción articular". */
const punctures = String.raw`(?:th?ora(?:[ck]o)?|para|arth?ro|amnio|peri[ck]ard(?:io)?|[ck]uldo|[ck]ordo|ra[ck]hi|abdomino|perito)[cz]ent[eèé]s\p{L}*|(?:lumbar|spinal|pleural|joint|knee|hip|ascit\p{L}*|cistern\p{L}*|ventricular|cyst|sternal|pericardial|ovarian) (?:punctures?|taps?)|(?:lumb[ao]+l|pleura|as[cz]ites|gelenk|gewrichts|knie\p{L}*|liquor|sternal|peri[ck]ard|beenmerg|led|as[cz]it)[- ]?pun[ck]t(?:ion|ur|ie)\p{L}*|ponctions?(?! (?:vein|capill|sang|art[ée]r|digit|au doigt))|punci[oó]n(?:es)?(?! (?:ven|capil|digit|sang|arter))|punção(?! (?:ven|capil|digit|sang|arter))|puntura (?:lomb|pleur|stern|artic)\p{L}*|(?:pleural|peritoneal|synovial|ascitic|pericardial|amniotic|vitreous)|aqueous humou?r|nephrostomy|ileostomy|bron[ck]h?o[- ]?alveol\p{L}*|bronchial (?:wash|lavage|aspirat|secret|brush)\p{L}*|(?:nasal|ear|wound|nipple|urethral) discharge|(?:rhin|ot)orrh?o?ea|wash-?outs?|fna|(?:apheresis|leuk[ao]pheresis|stem cells?) (?:collections?|products?|bags?|harvests?)|(?:platelet|red cell|blood|cell(?:ular)?) (?:products?|concentrates?|bags?)|platelet[- ]rich (?:plasma|fibrin)|cell savers?|autotransfus\p{L}*|shunts?|drains?|capd|dialysis bags?|pd (?:fluid|effluent|bags?)`

const otherSpecimens = String.raw`(?:spontan|sammel|morgen)?urin\w*|ua|ur(?!\.:? ?\d)|harn|csf|cerebro\w*|spinal|liquor|(?:body|pleural|synovial|peritoneal|ascitic|amniotic|pericardial|follicular|vaginal|oral|drain|cyst|wound|bile|gastric|seminal|dialysis|joint|chest|abdominal) fluid|effluent|exudate|transudate|washings?|fluid (?:analysis|chemistry|cell count)|ascites|aszites|effusion|aspirate|\p{L}*punktat|\p{L}*flüssigkeit|\p{L}*sekret|\p{L}*erguss|lavage|drainage|sputum|swab|stool|stuhl|feces|fecal|faecal|saliva|salivary|semen|seminal|sperm|sweat|hair|breath|bone marrow|breast milk|gastric|tissue|cord blood|capillary|arterial|dialysate|${punctures}|${otherSpecimensAbroad}|${otherSpecimensFarther}|${otherSpecimensBeyond}`
const provoked = String.raw`post(?![- ]?(?:partum|op(?:s|eratively|erative)?)(?!\p{L}))|postprandial|pp|tolerance|ogtt|gtt|stimulat(?!ing hormone)\w*|suppress\w*|challenge|random|hour|hr|mins?|minutes|24h|24hr|timed|risk|percentile|z-score|presence|identifier|interpretation|titer|morphology|dexamethason\p{L}*|dexa|dst|synacthen|cosyntropin|tetracosactid\p{L}*|estimate of|antibody screen|reflex only|clamp|(?:adrenal|renal|ovarian|hepatic|petrosal|parathyroid) (?:veins?|venous|sinus)|после|після|след|nakon|poslije|posle|după|dupa|után|μετά|pärast|pēc|jälkeen|eftir|sonra|sonrası|após|després|setelah|sesudah|selepas|sau (?:ăn|khi|uống)|po (?:obciążeniu|posiłku|\d+|zátěži|zátěži|jídle|jedle|záťaži|obroku|obremenitvi)|нагрузк\p{L}*|навантажен\p{L}*|обременяван\p{L}*|opterećenj\p{L}*|obciąże\p{L}*|zátěž\p{L}*|terhelés\p{L}*|φόρτισης?|koormus\p{L}*|slodz\p{L}*|krūvi\p{L}*|rasitus\p{L}*|yükleme\p{L}*|sobrecarga|sobrecàrrega|nghiệm pháp|stimulacij\p{L}*|стимуляц\p{L}*|стимуляці\p{L}*|\p{L}*(?:负荷|負荷|餐后|餐後|饭后|飯後|부하|식후)\p{L}*|بعد \p{L}+|(?:אחרי|לאחר) \p{L}+|(?:after|following|nach|après|apres|tras|después de|dopo|efter) (?:der |dem |la |le |il |el |an? |the )?(?:light |heavy )?(?:h[äa]e?mo)?(?:dial\p{L}*|essen|mahlzeit|frühstück|repas|petit[- ]déjeuner|comida|desayuno|pasto|colazione|måltid\p{L}*|morgenmad|meals?|breakfast|lunch|dinner|supper|eating)`

/** Specimens other than blood, serum or plasma, in which the catalogue's biomarkers are measured. */
export const otherSpecimen = new RegExp(String.raw`(?<![\p{L}\d])(${otherSpecimens})(?![\p{L}\d])`, 'iu')

/** Titles of what is measured in urine, which do not say so: "ALBUMIN/CREATININE RATIO", "ECBU". */
export const urinePanel =
  /(?<!\p{L})(?:(?:micro)?alb[uú]min\p{L}*|prote[iï]n\p{L}*|eiweiß|eiwit|calcium|kalzium)\s?[/:–-]\s?[ck]r[eé]atinin\p{L}*|(?<!\p{L})(?:u-?)?(?:acr|upcr|ecbu)(?!\p{L})|(?<!\p{L})mi[ck]roalbumin\p{L}*/iu

/** After a meal or a dose, or not the quantity itself. */
export const provokedWords = new RegExp(String.raw`(?<![\p{L}\d])(${provoked})(?![\p{L}\d])`, 'iu')

/** Not results of this sample: goals and earlier results. */
export const earlierOrGoal =
  /\b(goals?|targets?|previous|prior|earlier|last (?:results?|values?)|histor\w*|cumulative|vorwerte?|vorbefunde?|zielwerte?|zielbereiche?|poprzedni\p{L}*|wynik historyczny|föregående|anteriores?|resultado anterior)(?!\p{L})|(?<!\p{L})önceki|前々?回|目標値/iu

/** Other specimens and provoked states: such a result is never the catalogue's biomarker. */
export const vetoWords = new RegExp(
  String.raw`${earlierOrGoal.source}|(?<![\p{L}\d])(${otherSpecimens}|${provoked})(?![\p{L}\d])`,
  'iu',
)
