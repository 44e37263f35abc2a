import { plainLetters } from '../facts/letters.ts'
import { isBlood, specimensIn } from '../facts/specimens.ts'
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
  en: antibod(y|ies) antigens? immunoglobulins? proteins? electrophoresis viral load immunity immune vaccination titers? titres? salts sti std its ist mst soa sexual syphilis cascade hepatitis hiv hcv hbv cmv ebv torch pcr naat? rt-?pcr rna dna igg igm iga ige elisa eia ifa ia ab abs ag lc-?ms ms
  en: with without wo w and or of for in on the by to if ref(lex)? reflex(ed|es|ive)? rflx rfl conf(irm)? confirmation confirmatory indicated cascade auto(mated)? manual diff(erential)? differentiation smear film indices index hil platelets? plt red white cells? wbc rbc hemograms? haemogram
  en: ac cbc fbc bmp cmp lft lfts rft rfts tft tfts u ue ues esr acr ua ana ena vit b-?12 hs(-?crp)? poc uacr iron-?studies
  en: kits? weeks? workers? insurance pre-?dialysis
  fr: exploration anomalies? ; pl: alergen- ; hu: autoimmun ; is: lifefnafræði- lifefnafraeði- bloðmeinafraeði- onaemisfraeði-
  en: cultures? susceptib- pathogens? food sensitivit(y|ies) amplification includ(es|ing) multiple blood gas(es)? arterial urinalysis spot dried home finger prick follow repeat well man woman cycle day days visit safety workup h(a?e)mochromatosis dot like gc card respiratory bronchial asthma tolerance oral ogtt gtt thrombophilia celiac coeliac arthritis rheumat- prenatal antenatal booking bloods? fractionat(ed|ion) crea prog preconception menopause pre-?op
  en: diagnostic rates? refl titers? patterns? dx types? tma urogenital nmr lipoprofile graph iq egfr eag binding capacity dialysis equilibrium mass volume moles units? presence substance fraction method surface core envelope be virus viruses bacteri(a|al) parasit(e|es|ic|ology) fung(al|us) yeast covid sars cov influenza pregnancy abuse alcohol lead organ primary care monitor(ing)? baseline initial requests? orders? observations? measurements? determination examinations? investigations? rapid point service procedure package program(me)? assessment evaluation index optimal optimum longevity vitality performance energy ageing aging
  en: ven[ei]puncture phlebotomy draw venipuncture ; fr: ponction veineuse prelevement prise ; de: (blut)?entnahme venenblut- ; es: extraccion venos[oa] puncion ; it: prelievo venos[oa]
  en: free intact direct ratio quotient gap anion high sensitiv(e|ity) ultrasensitive quant(itative)? qual(itative)? qn ql gen(eration)? molecular interpretation comments? calc(ulation|ulations|ulated)? estimated am pm random fasting venous whole ser(um)? plas(ma)? bld edta heparin gel capillary urinalysis mcg ng dl ifcc ngsp levels-
  en: ct ng vaginal (endo)?cervical urethral swabs? obstetrics? obstetrical gyn(a?ecology|a?ecological)? autoantibod(y|ies) subsets? travel(lers?)? fever myeloma lymphoma leuk(a?e)mia chains? rheumatolog(y|ical) neurolog(y|ical) dermatolog(y|ical) gastro(enterology)? nephrolog(y|ical) urolog(y|ical) pulmonary bleeding hypertension obesity osteoporosis neuropathy dementia weight haematinics hematinics monthly weekly quarterly mononucleosis mono tick borne lyme arthropathy infertility amenorrh(o?e)a hirsutism menstrual contraception gout palpitations dizziness hair loss sleep mood gut bowel digestive colorectal prostate breast ovarian pancreas pancreatic cholesterol
  en: loads deficienc(y|ies) periodic(al)? occupational dipsticks? dip sediment microscop(y|ic) reactions? intolerances? sexually transmitted transmissible runs? accredited amplified tv cardio-?metabolic
  en: therapeutic tdm vancomycin gentamicin tobramycin amikacin digoxin lithium valpro(ate|ic) phenytoin carbamazepine lamotrigine levetiracetam phenobarbital theophylline tacrolimus c[iy]closporine? sirolimus everolimus methotrexate acetaminophen paracetamol salicylates?
  de: (auto|schilddrusen)?antikorper antinuklea- virologie (kinder|differential|differenzial)?blutbild blutstatus kleines grosses klein gross klinische- chemie labor laborwerte laborbefund laborprofil labordiagnostik befund untersuchung(en)? hamatolog- gerinnung (infektions|hepatitis|virus)?serologie hormon(e|profil|status)? schilddruse(n(hormone|werte|parameter|profil|funktion))? leber(werte|profil|funktion|enzyme)? niere(n(werte|profil|funktion))? lipid(e|status|profil|werte)? fettstoffwechsel (eisen|zucker|knochen|lipid|purin)?stoffwechsel vitamin- elektrolyt- eisen- diabetes- tumormarker entzundung- allgemein- profil basis- vorsorge- (gross|klein)er? immunolog- endokrinolog- spurenelemente und mit parameter werte? bestimmung- allergie allergie(diagnostik|test) rheuma(tologie|faktoren)? herz(werte|profil|enzyme)? knochenstoffwechsel (vorsorge)?untersuchung arbeitsmedizin- (schwer)?metalle prostatamarker
  fr: metaux lourds travail virolog- bandelette urin- collecte antibiogramme biochim- hematolog- hemogramme numeration formule sangu- bilan lipid- hepat- rena- thyroid- marti- hormon- immunolog- serolog- ionogramme general- complete? standard et avec de du des la le en vitamines? coagulation hemostase glycemi- inflammatoire marqueurs nfs examens? chimie
  es: sistematico sedimento antibiograma horas bioquimic- hematolog- hemograma hematic- complet- perfil lipidic- hepatic- renal- tiroid- tiroide- hormon- serolog- inmunolog- coagulacion quimica sangu- sanguine- general- basic- vitamin- electrolit- de del la las y con en suero analitica funcion estudio hierro marcador- panel orina biometria basal(es)? dias? ciclo laboral metales pesados
  it: chimica clinica ematolog- emocromo profilo lipidic- epatic- renal- tiroide- ormon- sierolog- immunolog- coagulazione esam- complet- di del della e con vitamin- elettrolit- marcator- funzionalita metabolism- metalli pesanti lavoro basali giorno ciclo
  nl: volledig klinische chemie hematologie bloedbeeld (bloed|laboratorium)?onderzoek algemeen hormonen schildklier(functie|hormonen|onderzoek)? lever(functie|waarden|onderzoek)? nier(functie|waarden|onderzoek)? hormoononderzoek ionogram vetten lipiden vitamin- serologie en met stolling diversen
  pt: tipo ii bioquimica hematologia hemograma complet- perfil lipidic- hepatic- rena- tire- tiro- hormon- sorolog- imunolog- coagula- e com do da dos exames?
  sv: (bio)?kemi(sk(a|t)?)? analys(en)? klinisk(a|e)? hematolog- blod(status|prov|prover|prove|prover)? (lever|lipid|jarn|njur)status hormon(er)? lever(prover|funktion)? njur(prover|funktion)? lipider vitamin- medisinsk -kjemi kjemi bloðrannsokn serologi och og med prov prover prove prover
  pl: morfologia krwi krew biochemia hematologia hormony lipidogram badani- ogolne tarczyc- profil serologia mocz okresow- olow we
  pl: gospodark- wapniow- zelazow- zelaza lipidow- elektrolitow- jonogram koagulologia krzepniecia uklad krzepniecie immunologia immunochemia chemia kliniczna laboratoryjne podstawow- rozszerzon- watrob- watrobow- nerk- nerkow- sercow- markery nowotworow- witaminy hormonalne proby proteinogram analityka ogolna pelna rozmaz
  cs: biochemi- hematologi- krevni obraz krve serologie hormony klinicka zakladni rozsireny vysetreni imunologie imunochemie koagulace hemokoagulace jaterni testy ledvin- lipidove lipidy mineraly ionty stitn- zlaz- zlaza vitaminy nadorove markery tuky jatra ledviny diferencial- hormonalni endokrinologie
  sk: biochem- hematolog- krvny obraz krvi serologia hormony klinick- zakladn- rozsiren- vysetreni- imunologia koagulacia hemokoagulacia pecenove oblick- tukov- lipidov- mineraly iony stitn- zlaz- vitaminy nadorove markery diferencial- endokrinologia
  tr: hemogram biyokimya hormon- tam kan sayimi tahlil- testi testler- klinik kimya hematoloji koagulasyon seroloji immunoloji endokrinoloji lipid profili tiroid fonksiyon- karaciger bobrek vitamin- elektrolit- kardiyak tumor belirtec- genel rutin panel- tetkik- anemi paneli demir
  fi: kliininen kemia veri perusverenkuva pvk verenkuva kliinis- hematologia hyytymis- immunologia serologia hormonit maksa- munuais- rasva arvot lipidit kilpirauhas- kilpirauhanen vitamiinit elektrolyytit verikokeet laboratoriotutkimukset tutkimukset taydellinen suppea laaja paketti rauta- sydan- peruspaketti ja
  is: klinisk lifefnafraedi blodmeinafraedi blodhagur blodrannsokn- blodfitur lifefnarannsokn- skjaldkirtil- lifrar- lifrarprof nyrna- nyrnaprof vitamin hormon onaemisfraedi rannsokn-
  no: klinisk biokjemi hematologi koagulasjon immunologi endokrinologi hormoner lipider stoffskifte lever nyrer nyrefunksjon leverfunksjon blodprover elektrolytter vitaminer jernstatus skjoldbruskkjertel hjerte hjertemarkorer allergi analyser rutine- utvidet
  da: klinisk biokemi haematologi koagulation immunologi endokrinologi hormoner lipider lever nyre nyrer nyretal levertal blodprover elektrolytter vaesketal vitaminer jernstatus stofskifte skjoldbruskkirtel hjerte knogle- analyser
  nl: bloed- hart hartmarkers cardiale schildklier ijzer ijzerstatus ijzerhuishouding mineralen botstofwisseling stofwisseling leverenzymen nierfunctie elektrolyten hormonaal endocrinologie immunologie hemostase vitaminen tumormerkers bloedcellen formule routine uitgebreid basis biochemie prostaat(merkers)? (zware)? metalen cardiometabool
  xx: add androgens? master one carbon metabolites? gono(rr?h?)?(oe|e|ea)- klamydia mi(k|c)roalbumin- c(o|e|oe)lia(kia|ki|chia|quia|ca)- coeliaque zoliakie prostata prostaat prostate fertilit(et|at|e|a|eit)- fertilidade? fertilidad jahreskontroll- jaarcontrole halfjaarcontrole arskontrol- halsokontroll helsesjekk helsekontroll jahrescheck annuel- anual- annual- spezifisch- specifi(ek|que|k|c)- aislad- efnafræð-
  xx: t(h)?rombo(f|ph)il- r(h)?eumatolog- rhumatolog- revmatolog- infe(ccao|ccoes|ccion|ccios|cti|ktion|kcj|zion|ttiv|ksjon)- zakazn-
  fr: cardiaque- hepatique- renal- phosphocalcique metabolisme martial lipidique protidique glucidique thyroidien- vitaminique enzymologie proteines vitaminologie hormonologie tumoraux auto-immunite allergologie sanguine- ionique osseux foie reins coeur thyroide hematimetrie biologie medicale clinique
  hu: kemia verkep laboratorium klinikai kis nagy teljes biokemia haematologia hematologia veralvadas alvadas serologia szerologia immunologia hormonok hormon- vizsgalat- maj majfunkcio- vese vesefunkcio- lipid- zsir- vas vasanyagcsere- anyagcsere ionok elektrolit- pajzsmirigy- vitaminok tumormarker- gyulladas- szivmarkerek csont- rutin
  ru: биохими- гемат- общии анализ анализы крови клиническии клиническая исследовани- коагулограмма липидограмма липидныи спектр профиль гормон- щитовидн- железы почечн- печеночн- печень почки витамин- электролит- микроэлемент- онкомаркер- серологи- иммунологи- ревматологи- кардиологи- обмен железа минеральныи углеводныи жировои белковыи развернутыи расширенныи лабораторн- лейкоцитарная формула
  uk: біохіміч- біохімі- гематолог- загальнии аналіз аналізи крові клінічнии дослідження коагулограма ліпідограма ліпіднии профіль гормон- щитовидн- залоз- щитоподібн- нирков- печінков- печінка нирки вітамін- електроліт- мікроелемент- онкомаркер- серолог- імунолог- ревматолог- кардіолог- обмін заліза мінеральнии розгорнутии лабораторн- леикоцитарна формула
  bg: биохими- хематолог- клинич- лаборатория лабораторн- кръвна картина пкк серолог- имунолог- хормон- щитовидн- жлеза липиден липиди профил чернодробн- бъбречн- коагулация хемостаза електролити витамини туморни маркери обмяна желязо изследван-
  hr: biokemij- biohemij- klinick- kemija hemija hematolog- krvna slika kompletna kks diferencijalna koagulacij- serolog- imunolog- hormon- stitnjac- stitn- lipidni lipidi lipidogram profil jetren- jetra bubrezn- bubreg bubrezi elektroliti vitamini tumorski markeri metabolizam zeljeza gvozda pretrag- analiz- laboratorijsk- opca opsta srcani minerali upalni parametri
  sl: biokemij- klinicna kemija hematolog- krvna slika hemogram diferencialna koagulacija serolog- imunolog- hormon- scitnic- lipidi lipidogram jetrni jetra ledvicni ledvica elektroliti vitamini tumorski oznacevalci markerji preiskav- laboratorijsk-
  ro: biochimi- hematologi- hemoleucograma complet- coagulare hemostaza serologi- imunologi- hormon- endocrinologi- tiroid- tiroidian- profil lipidic hepatic- renal- functi- metabolism- fier fierului martial ionograma electroliti vitamin- markeri tumorali cardiac- anemi- analiz- laborator sange sanguin- clinic- minerale inflamati-
  et: biokeemia kliiniline keemia hematoloogia hemogramm verepilt vereanaluus hyytimine koagulatsioon seroloogia immunoloogia hormoon- kilpnaar- lipiid- maks- neeru- vitamiin- elektroluudid kasvajamarkerid analuus- uuring-
  lv: biokimija kliniska kimija hematologija asins aina pilna koagulacija serologija imunologija hormon- vairogdziedzera lipid- aknu nieru vitamin- elektroliti audzeju markieri analiz- izmeklejum-
  lt: biochemi- klinikine- hematologi- kraujo kraujas bendras tyrim- kresejimo koaguliacija serologi- imunologi- hormon- skydliaukes lipid- kepenu inkstu vitamin- elektrolitai navikiniai zymenys
  pt: estudo estudos cardiac- hepatic- ossea? marcial coagulacao hemostase endocrinologia ionograma eletrolit- vitamin- marcadores tumorais geral sanguinea sangue clinica funcao metabolismo ferro lipidograma hormonas hormonais coagulograma virologia metais pesados trabalho basa(l|is) dia ciclo
  ca: bioquimica hematologia hemograma coagulacio serologia hormones tiroid- tiroides lipid- hepatic- renal- vitamin- marcadors perfil sang clinica immunologia metabolisme ferro analitica general
  el: βιοχημ- αιματολογ- αιμοστασ- πηκτικοτητα πηξης ορμονολογ- ορμον- ορμονες ανοσολογ- ορολογ- γενικη αιματος λιπιδ- ηπατικ- νεφρικ- θυρεοειδ- βιταμιν- ηλεκτρολυτες δεικτες καρκινικοι εξετασεις εργαστηριακ- μικροβιολογικ- λειτουργια
  vi: sinh hoa huyet hoc cong thuc mau chuc nang gan tuyen giap xet nghiem phan tich bao
  id: kimia klinik darah hematologi lengkap rutin imunologi serologi imunoserologi koagulasi hemostasis hormon fungsi hati ginjal tiroid lemak profil lipid elektrolit vitamin pemeriksaan laboratorium diabetes jantung
  he: כימיה ספירת דם כימיה המטולוגיה אנדוקרינולוגיה הורמונים קרישה סרולוגיה אימונולוגיה ויטמינים תפקודי כבד כליה תירואיד שומנים ביוכימיה כללית
  ar: كيمياء الدم حيوية تعداد صورة كاملة وظائف الكبد الكلى الكلي الغدة الدرقية دهون الدهون هرمونات الهرمونات فيتامينات الفيتامينات امراض سريرية مختبر تحاليل تحليل
  zh: 生化 生化检查 生化检验 生化全套 临床化学 临床检验 血常规 血液常规 血常規 血液检查 血液學 血液学 血液分析 血细胞分析 全血细胞计数 全血球計數 凝血 凝血功能 凝血四项 肝功能 肾功能 腎功能 肝功 肾功 血脂 血脂全套 电解质 電解質 甲状腺功能 甲狀腺功能 甲功 甲功三项 甲功五项 性激素 激素 内分泌 內分泌 免疫 免疫学 免疫學 血清學 血清学 肿瘤标志物 腫瘤標誌 贫血 心肌酶 心肌酶谱 维生素 微量元素 检验 检查 常规 常規 生化學 體檢 体检
  ko: 생화학 생화학검사 일반화학 일반화학검사 임상화학 임상화학검사 혈액학 혈액학검사 일반혈액 일반혈액검사 혈액검사 전혈구검사 간기능 간기능검사 신장기능 신장기능검사 신기능검사 지질 지질검사 갑상선 갑상선기능 갑상선기능검사 전해질 전해질검사 면역 면역검사 면역혈청 면역혈청검사 호르몬 호르몬검사 응고검사 혈액응고검사 종양표지자 비타민 당뇨 당뇨검사 빈혈 빈혈검사 검사 건강검진 종합검진
  ja: 飯前血糖 生化学 生化学検査 血液 血液検査 血液学 血算 血球 免疫 免疫血清 内分泌 検査 一般 糖代謝 脂質 感染症
`

const known = new RegExp(
  `^(?:${plainLetters(table)
    .split(/\s+/)
    .filter((word) => word !== '' && word !== ';' && !/^[a-z]{2}:$/.test(word))
    .map((word) => word.replace(/^-(?!\?)/, String.raw`\p{L}*`).replace(/-$/, String.raw`\p{L}*`))
    .join('|')})$`,
  'u',
)

/** What is usual only as a whole: who took the sample, a third of a pregnancy, a day near surgery. */
const together =
  /\b24[- ]?h(?:(?:ou)?rs?|oras|eures|td)?\b|\b(?:self|patient|home)[- ](?:collect(?:ed|ion)|sampl(?:ed|ing)|taken)\b|\b(?:first|second|third|1st|2nd|3rd)[- ]trimester\b|\b(?:quad(?:ruple)?|triple) (?:screen|test|marker)s?\b|\bsubstance (?:use|misuse)\b|\btran?smiss?(?:ión|ion|ione|ão) (?:sexu|sessu)al(?:e)?\b|\b(?:pre|post)[- ]?op(?:s|eratively|erative)?\b|\bpr[eéä][- ]?transfus\p{L}*|\badded by (?:tele)?phone\b|\btelefonisch nachgefordert\b|(?<!\p{L})(?:before|antes d[ae](?: la)?|avant|vor(?: der)?|prima della|voor(?: de)?|före|før|przed) (?:h[äaeé]?e?mo)?d[iy][aá]l[iy][sz]\p{L}*|\bpost[- ]?partum\b/giu

/** The same above a result of blood, which neither place nor state of the urine can be. */
const togetherOfBlood = /\b(?:creatinine|urea) clearance\b|\b(?:two|three|four|multi(?:ple)?|all|[2-4])[- ]?sites?\b/gi

/** Codes of an order are no words: "LAB156", "99ROC". */
const wordsIn = (name: string): string[] =>
  plainLetters(name.replaceAll(together, ' ')).match(/(?<![\p{L}\p{N}])\p{L}{2,}(?![\p{L}\p{N}])/gu) ?? []

/** "Schilddruese" and "Haematologie", where a system has no letters beyond ASCII. */
const withUmlaut = (word: string) => word.replace(/([aou])e/g, '$1')

const isUsual = (word: string) =>
  known.test(word) || known.test(withUmlaut(word)) || analytes.has(word) || (specimensIn(word)?.length ?? 0) > 0

/** Whether a text has no other words than names of orders, or those that `also` names. */
export const hasUsualWords = (text: string, also: RegExp): boolean =>
  wordsIn(text).every((word) => also.test(word) || isUsual(word))

/**
 * A result waits below the name of an order or panel that holds a word which such names do not have: it may say that something else
 * was measured. What the result's own name holds, too, is judged with that name.
 */
export function withOrder(observation: Observation, names: readonly string[]): Observation {
  const own = new Set([observation.name, ...(observation.alsoCalled ?? [])].flatMap(wordsIn))
  const isOfBlood = isBlood(specimensIn(observation.specimen) ?? [])
  const strange = names.find(
    (name) =>
      !wordsIn(isOfBlood ? name.replaceAll(togetherOfBlood, ' ') : name).every(
        (word) => own.has(word) || isUsual(word),
      ),
  )
  return strange === undefined ? observation : withStrange(observation, [`the order is named ${strange}`])
}

/** A result that nothing else holds waits beside what nothing accounts for. */
export const withStrange = (observation: Observation, strange: readonly string[]): Observation =>
  strange.length === 0 ? observation : { ...observation, strange: [...(observation.strange ?? []), ...strange] }
