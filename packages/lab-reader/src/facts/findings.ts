import type { Finding, Grade, Presence, Scale } from './finding-schema.ts'
import { plainLetters } from './letters.ts'

/** What laboratories write, in six languages, without accents and hyphens. */
const words: Record<Presence, readonly string[]> = {
  negative: [
    ...[
      'negative',
      'neg',
      'nonreactive',
      'non reactive',
      'not reactive',
      'not detected',
      'nondetected',
      'non detected',
    ],
    ...[
      'none detected',
      ...[
        'target not detected',
        'no target detected',
        'rna not detected',
        'dna not detected',
        'hiv 1 rna not detected',
      ],
      ...['hcv rna not detected', 'no growth', 'not isolated', 'not found', 'none found'],
      'undetected',
      'undetectable',
      'not detectable',
      'absent',
      'not present',
      'none seen',
      'not seen',
    ],
    ...['nil', 'not immune', 'non immune', 'nonimmune', '(-)', 'negativ', 'nicht reaktiv', 'nicht nachweisbar'],
    ...[
      'nicht nachgewiesen',
      'negatif',
      'non reactif',
      'non detecte',
      'absence',
      'negativo',
      'negativa',
      'no reactivo',
    ],
    ...[
      'no detectado',
      'no detectable',
      'ausente',
      'non reattivo',
      'non rilevato',
      'non rilevabile',
      'assente',
      'assenti',
    ],
    ...['ikke reaktiv', 'ikke pavist'],
    ...['nao reagente', 'nao reativo', 'nao detectado', 'nao detectavel', 'ausentes', 'negatief', 'niet aantoonbaar'],
    ...['niet aangetoond', 'niet gedetecteerd', 'niet reactief', 'ej pavisad', 'inte pavisad', 'ej pavisat', 'ujemny'],
    ...['ujemna', 'ujemne', 'nieobecny', 'nieobecna', 'nieobecne', 'niereaktywny', 'nie wykryto', 'saptanmadi'],
    ...['reaktif degil', 'non reaktif', 'nonreaktif', '陰性'],
  ],
  indeterminate: [
    ...['indeterminate', 'equivocal', 'borderline', 'inconclusive', 'gray zone', 'grey zone', 'grenzwertig'],
    ...['indeterminiert', 'unbestimmt', 'indetermine', 'limite', 'douteux', 'indeterminado', 'indeterminato', 'dubbio'],
    ...['dudoso', 'ubestemt', 'graensevaerdi', '+/-', '±', '(+/-)'],
  ],
  positive: [
    ...['positive', 'pos', 'reactive', 'detected', 'det', 'present', 'immune', '+', 'weakly positive', 'weak positive'],
    ...['weakly reactive', 'strongly positive', 'strong positive', 'strongly reactive', 'repeatedly reactive'],
    ...['reactive, repeatedly', 'detectable', 'positiv', 'schwach positiv', 'stark positiv', 'reaktiv', 'nachweisbar'],
    ...['nachgewiesen', 'positif', 'reactif', 'detecte', 'presence', 'positivo', 'positiva', 'reactivo', 'detectado'],
    ...['presente', 'reattivo', 'rilevato', 'presenti', 'pavist'],
    ...[
      'reagente',
      'reativo',
      'detectado',
      'presentes',
      'positief',
      'aantoonbaar',
      'aangetoond',
      'gedetecteerd',
      'pavisad',
    ],
    ...['pavisat', 'dodatni', 'dodatnia', 'dodatnie', 'obecny', 'obecna', 'obecne', 'reaktywny', 'wykryto', 'pozitif'],
    ...['saptandi', 'reaktif', '陽性'],
  ],
}

/** The same in other languages, a line a language. */
const abroad: Record<Presence, string> = {
  negative: `
  отрицательный; отрицательно; отрицательная; отрицат; отр; не обнаружено; не обнаружен; не обнаружена; не обнаружены; не выявлено; не выявлен; не выявлены; отсутствует; отсутствуют; негативный; нереактивный; нереактивно
  негативний; негативна; негативно; не виявлено; не виявлений; відсутній; відсутні; відсутня; негатив
  отрицателен; отрицателна; отрицателно; не се открива; не се доказва
  negativan; negativna; negativno; nije nađeno; nije detektirano; nije detektovano; nereaktivan; nereaktivno; odsutan; негативан; негативно
  negativen; ni zaznano; ni dokazano
  nereactiv; nedetectat; nedetectabil; absenti; nedetectata; negativi
  nem reaktiv; nem kimutathato; nem detektalhato; negativ
  αρνητικο; αρνητικη; αρνητικος; μη αντιδρων; μη ανιχνευσιμο; δεν ανιχνευθηκε; δεν ανιχνευτηκε; απουσια; αρνητικα
  negatiivne; ei leitud; ei tuvastatud; mittereaktiivne
  negativs; negativa; nav konstatets; nav atrasts; nereaktivs; negativi
  neigiamas; neigiama; neigiami; nerasta; neaptikta; nereaktyvus; neigiam
  negatiivinen; ei todettu; ei osoitettu; ei osoitettavissa; ei reaktiivinen
  neikvaett; neikvaed; neikvaedur; greindist ekki; ekki greint; finnst ekki
  ikke pavist; ikke funnet; ikke reaktiv; ikke detektert
  ej detekterad; inte detekterad; ej pavisade; ej reaktiv
  niet gevonden; afwezig; niet-reactief
  niereaktywna; nie stwierdzono; nieobecna
  negativni; nereaktivni; neprokazano; nedetekovano; negativny; nedokazano; nereaktivny; neprukazne
  olumsuz; tespit edilmedi; saptanmamistir; bulunmadi; tespit edilememistir
  nao detectada; nao reagentes; negativos; negativas; indetectavel; nao reativa; indetetavel
  no detectada; no reactiu; no detectat; negatiu; negativa; absent
  am tinh; khong phat hien; khong phan ung; khong tim thay
  negatif; tidak terdeteksi; tidak reaktif; tidak ditemukan; tidak dikesan
  阴性; 陰性; 未检出; 未檢出; 未检测到; 阴性(-); 陰性(-); 無反應; 未见; 阴性（-）
  음성; 음성(-); 비반응성; 검출안됨; 불검출; 음성 (-)
  سلبي; سلبية; غير متفاعل; لا يوجد
  שלילי; שלילית; לא נמצא; לא התגלה`,
  indeterminate: `
  сомнительный; сомнительно; сомнительная; неопределенный; неопределенно; серая зона; пограничный; пограничное значение
  сумнівний; сумнівно; сумнівна; невизначений; сіра зона
  съмнителен; съмнително; граничен
  granican; granicno; neodreden; dvojben; dvojbeno; граничан
  mejno; mejen; nedolocen
  nedeterminat; echivoc; incert; zona gri
  hatarertek; ketes; bizonytalan; szurkezona
  αμφιβολο; οριακο; αμφιβολη; οριακη; απροσδιοριστο
  piiripealne; ebaselge; kahtlane
  robezvertiba; saubigs; nenoteikts
  abejotinas; neapibreztas; ribinis
  raja arvo; epaselva; rajalla
  vafasamt
  grensepositiv; grenseverdi; tvilsom; usikker
  gransvarde; oklart; granszon; osaker
  dubieus; grenswaarde; grijze zone; onbepaald
  watpliwy; watpliwe; watpliwa; nieokreslony; graniczny; niejednoznaczny
  hranicni; nejasny; neurcity; hranicny; sporny; seda zona
  supheli; ara deger; sinirda; gri bolge; belirsiz
  inconclusivo; duvidoso; limitrofe; zona cinzenta
  indeterminat; dubtos
  nghi ngo; khong xac dinh; vung xam
  meragukan; equivokal; indeterminat
  可疑; 灰区; 不确定; 臨界; 疑似; 灰區; 不確定
  미결정; 경계; 판정보류
  غير محدد; مشتبه
  גבולי; לא חד משמעי`,
  positive: `
  положительный; положительно; положительная; положит; обнаружено; обнаружен; обнаружена; обнаружены; выявлено; выявлен; реактивный; слабоположительный; слабо положительный; позитивный
  позитивний; позитивна; позитивно; виявлено; слабопозитивний; реактивний
  положителен; положителна; положително; доказва се
  pozitivan; pozitivna; pozitivno; reaktivan; reaktivno; slabo pozitivan; nadeno; detektirano; detektovano; позитиван; позитивно
  pozitiven; zaznano; dokazano
  pozitiv; reactiv; prezent; detectat; prezenta; slab pozitiv; detectabil
  pozitiv; reaktiv; kimutathato; gyengen pozitiv
  θετικο; θετικη; θετικος; ανιχνευθηκε; ανιχνευτηκε; ασθενως θετικο; παρουσια; θετικα; αντιδρων
  positiivne; leitud; tuvastatud; reaktiivne; norgalt positiivne
  pozitivs; pozitiva; konstatets; reaktivs; vaji pozitivs
  teigiamas; teigiama; rasta; aptikta; reaktyvus; silpnai teigiamas
  positiivinen; todettu; osoitettu; heikosti positiivinen; heikko positiivinen; reaktiivinen
  jakvaett; jakvaed; jakvaedur; greindist; veikt jakvaett
  svakt positiv; reaktiv; funnet; detektert
  svagt positiv; detekterad; svag positiv; reaktiv
  zwak positief; aanwezig; reactief; gevonden
  reaktywna; slabo dodatni; stwierdzono
  pozitivni; reaktivni; prokazano; detekovano; slabe pozitivni; pozitivny; dokazano; reaktivny; slabo pozitivny
  olumlu; zayif pozitif; tespit edildi; saptanmistir
  reativa; detectada; reagentes; fracamente positivo; fracamente reagente; positivos; positivas
  reactiu; detectat; positiu; positiva; present
  duong tinh; phat hien; co phan ung; duong tinh yeu
  positif; terdeteksi; positif lemah; dikesan
  阳性; 陽性; 检出; 檢出; 弱阳性; 弱陽性; 阳性(+); 陽性(+); 有反應; 强阳性; 強陽性; 阳性（+）
  양성; 양성(+); 반응성; 약양성; 검출; 강양성; 양성 (+)
  إيجابي; ايجابي; موجب; ايجابية; متفاعل
  חיובי; חיובית; חיובי חלש`,
}

for (const value of Object.keys(abroad) as Presence[]) {
  const answers = abroad[value].split(/[;\n]/).map((answer) => wordOf(answer))
  words[value] = [...words[value], ...answers.filter((answer) => answer !== '')]
}

const presences = new Map(
  Object.entries(words).flatMap(([value, all]) => all.map((word) => [word, value as Presence] as const)),
)

/** Steps of test strips. The words are the steps of the usual strips: trace, small, moderate, large. */
const grades = new Map<string, Grade>([
  ...words.negative.map((word) => [word, 'negative'] as const),
  ...['normal', 'norm', 'normale', 'normaal', 'w normie', '正常'].map((word) => [word, 'negative'] as const),
  ...[
    'trace',
    'traces',
    'tr',
    '+/-',
    '±',
    '(+)',
    'spur',
    'spuren',
    'tracce',
    'trazas',
    'spor',
    'indicios',
    'vestigios',
    'tracos',
    'spoor',
    'slad',
    'sladowe',
    'eser',
    'spar',
    '(±)',
  ].map((word) => [word, 'trace'] as const),
  ...['small', 'moderate', 'large'].map((word, index) => [word, `${index + 1}+` as Grade] as const),
  ...[1, 2, 3, 4].flatMap((step) =>
    ['+'.repeat(step), `${step}+`, `+${step}`, `${step} +`, `(${step}+)`, `presente ${'+'.repeat(step)}`].map(
      (word) => [word, `${step}+` as Grade] as const,
    ),
  ),
])

/** A text that says that there is no result, or where it is. */
const noResult =
  /\b(see|notes?|comments?|below|attached|pending|follow|tnp|qns|dnr|n\/a|cancel\w*|not (done|performed|reported|calculated|tested|received|available|sufficient)|unable|insufficient|reject\w*|invalid|ha?emoly\w*|contaminat\w*|repeat\w*|recollect\w*|tests?|specimens?|samples?|revoked|error)\b/i

/** Without accents, hyphens between letters, a printed flag and marks at the end. */
function wordOf(text: string): string {
  const bare = text.replace(/\s+\(?(AA?|HH?|LL?|N)\)?$|\s*(\*+|!+)$/, '')
  return plainLetters(bare)
    .replace(/[‐-―−]/g, '-')
    .replace(/(?<=[a-z])-(?=[a-z])/g, ' ')
    .replace(/[.:;,]+$/, '')
    .replace(/\s+/g, ' ')
    .trim()
}

const indexed = /^(.+?) ?\((?:(?:s\/co|coi|index):? ?)?[<>]?(\d+(?:[.,]\d+)?)(?: ?(?:s\/co|coi|index))?\)$/

/** "Negative (0.12 S/CO)": the word, where the measured share of the cut-off says the same. */
function withIndex(word: string): Presence | undefined {
  const [, said = '', share = ''] = indexed.exec(word) ?? []
  const value = presences.get(said)
  const isNamed = /s\/co|coi|index/.test(word)
  const isAbove = Number(share.replace(',', '.')) >= 1
  return isNamed && value === (isAbove ? 'positive' : 'negative') ? value : undefined
}

/** What a laboratory's text means on a scale; undefined for a word that is not known, and on a titre's scale. */
export function findingOf(scale: Scale, text: string): Finding | undefined {
  if (scale.kind === 'titre') return undefined
  if (scale.kind === 'text') {
    const value = text.replace(/\s+/g, ' ').trim()
    const isResult = /\p{L}/u.test(value) && value.length <= 200 && !noResult.test(value)
    return isResult ? { kind: 'text', value } : undefined
  }
  const word = wordOf(text)
  if (scale.kind === 'presence') {
    const value = presences.get(word) ?? withIndex(word)
    return value && { kind: 'presence', value }
  }
  const value = grades.get(word)
  return value && { kind: 'grade', value }
}

/** Whether a text may be a result that is no number: a table of results keeps it as one. */
export function isFindingText(text: string): boolean {
  const word = wordOf(text)
  return presences.has(word) || grades.has(word) || titreOf(text) !== undefined
}

/** The expected results that a laboratory printed beside its result, such as `Negative` or `Neg - Trace`. */
export function expectedOf(scale: Scale, rangeText: string | undefined): string[] | undefined {
  if (scale.kind === 'titre' || !rangeText) return undefined
  const whole = findingOf(scale, rangeText)
  if (whole) return [whole.value]
  if (scale.kind === 'text') return undefined
  const parts = rangeText
    .split(/\s*(?:\/|,|\bor\b|\bto\b|\s-\s|(?<=[a-z])-(?=[a-z]))\s*/i)
    .map((part) => findingOf(scale, part))
  const values = parts.flatMap((part) => part?.value ?? [])
  return values.length === parts.length && values.length === 2 ? between(scale, values) : undefined
}

/** From the first step of a test strip to the last. */
function between({ kind }: Scale, values: string[]): string[] {
  if (kind !== 'grade') return values
  const steps: string[] = ['negative', 'trace', '1+', '2+', '3+', '4+']
  const [from, to] = values.map((value) => steps.indexOf(value)).sort((a, b) => a - b)
  return steps.slice(from, (to ?? 0) + 1)
}

/** Whether a finding is one of the expected; a text is compared without case and accents. */
export const isExpected = ({ kind, value }: Finding, expected: readonly string[]): boolean =>
  kind === 'text' ? expected.map(wordOf).includes(wordOf(value)) : expected.includes(value)

export interface Titre {
  /** 320 of 1:320. */
  value: number
  comparator?: '<' | '<=' | '>=' | '>'
}

const titre = /^(<=|>=|<|>|≤|≥)?\s*1\s*[:/]\s*(<=|>=|<|>|≤|≥)?\s*(\d{1,7})(?:\s+\(?(?:AA?|HH?|LL?|N)\)?|\s*\*+)?$/

/** `1:320`, `<1:10`, `1:<10`; undefined for anything else. */
export function titreOf(text: string): Titre | undefined {
  const match = titre.exec(text.trim())
  const sign = match?.[1] ?? match?.[2]
  if (!match || (match[1] && match[2]) || Number(match[3]) === 0) return undefined
  const comparator = sign && (({ '≤': '<=', '≥': '>=' } as const)[sign] ?? sign)
  return { value: Number(match[3]), ...(comparator && { comparator: comparator as Titre['comparator'] }) }
}
