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
    'specific gravity,sp gr,sg,spez. gewicht,spezifisches gewicht,dichte,densité,densidad,densidade,peso specifico,ciężar właściwy,dansite,soortelijk gewicht,relativ densitet,densitet,比重,удельный вес,относительная плотность,плотность,питома вага,відносна густина,относително тегло,специфично тегло,specifična težina,specifična masa,relativna gustoća,relativna gustina,densitate,densitate specifică,greutate specifică,fajsúly,ειδικό βάρος,erikaal,suhteline tihedus,īpatnējais svars,blīvums,lyginamasis svoris,santykinis tankis,ominaispaino,suhteellinen tiheys,eðlisþyngd,egenvikt,relativ tetthet,specifická hmotnost,specifická hmotnosť,hustota,densitat,tỷ trọng,tỉ trọng,berat jenis,比重(sg),비중,요비중,كثافة نوعية,الكثافة النوعية,משקל סגולי,densidade relativa',
  ph_urine:
    'ph,ph-wert,ph wert,ph-värde,реакция (ph),реакция ph,реакція (ph),реакция рн,рн,酸碱度,酸鹼值,酸碱值,요산도,산도',
  ketones_strip:
    'ketones,ketone,ketone bodies,ketonkörper,keton,corps cétoniques,cétones,cuerpos cetónicos,cetonas,corpi chetonici,chetoni,corpos cetônicos,ciała ketonowe,ketonen,ketoner,ケトン体,кетоновые тела,кетоны,кетонові тіла,кетони,кетонни тела,ketoni,ketonska tijela,ketonska tela,corpi cetonici,cetone,corpi cetonici (acetonă),ketontest,ketontestek,aceton,κετόνες,οξόνη,κετονικά σώματα,ketokehad,ketoonkehad,ketonķermeņi,ketonai,ketoniniai kūnai,ketoaineet,ketonit,ketónar,ketolátky,ketony,ketonlegemer,cossos cetònics,ceton,benda keton,酮体,酮體,尿酮,케톤,케톤체,요케톤체,كيتونات,أجسام كيتونية,קטונים,corpos cetónicos',
  nitrite_strip:
    'nitrite,nitrites,nitrit,nitritos,nitriti,nitrito,azotyny,nitriet,亜硝酸塩,нитриты,нітрити,нитрити,nitriți,νιτρώδη,νιτρικά,nitritid,nitritai,nitrīti,nitriitti,nitrít,dusitany,nitrity,nitrits,亚硝酸盐,亞硝酸鹽,아질산염,요아질산염,نتريت,ניטריטים',
  urobilinogen_strip:
    'urobilinogen,urobilinogène,urobilinógeno,urobilinogeno,urobilinogênio,ürobilinojen,urobilinojen,urobilinogeen,ウロビリノーゲン,уробилиноген,уробіліноген,urobilinogén,ουροχολινογόνο,urobilinogēns,urobilinogenas,urobilinogeeni,úróbílínógen,尿胆原,尿膽素原,尿膽原,우로빌리노겐,유로빌리노겐,אורובילינוגן',
  leukocytes_strip:
    'leukocyte esterase,leucocyte esterase,leukozytenesterase,estérase leucocytaire,esterasa leucocitaria,esterasi leucocitaria,esterase leucocitária,lökosit esteraz,esteraza leukocytarna,лейкоцитарная эстераза,лейкоцитарна естераза,левкоцитна естераза,leukocitna esteraza,esterază leucocitară,leukocita észteráz,leukocyta-észteráz,λευκοκυτταρική εστεράση,leukotsüütide esteraas,leikocītu esterāze,leukocitų esterazė,leukosyyttiesteraasi,leukocytesterase,leukocytesteras,leukocytární esteráza,leukocytárna esteráza,esterasa leucocitària,esterase leukosit,leukosit esterase,白细胞酯酶,白細胞酯酶,백혈구에스테라제,백혈구 에스테라제',
  hemoglobin_strip:
    'blood,occult blood,blut,blut / ery,blut/ery,erythrozyten/blut,sang,sangre,sangue,krew,kan,bloed,blod,潜血,скрытая кровь,隐血,潛血,隱血,잠혈,요잠혈,潜血反应,潜血反応',
  protein_urine:
    'protein,proteins,eiweiß,eiweiss,protéines,proteínas,proteine,białko,eiwit,蛋白,белок,білок,белтък,proteini,bjelančevine,fehérje,λεύκωμα,πρωτεΐνη,valk,olbaltums,baltymas,baltymai,proteiini,prótein,äggvita,bílkovina,bielkoviny,proteïnes,đạm niệu,protein niệu,尿蛋白,蛋白质,蛋白質,단백,요단백,단백질,زلال,بروتين,חלבון,proteiny',
  glucose_urine: '糖,尿葡萄糖,요당,당',
  bilirubin_strip:
    'bilirubin,bilirubine,bilirubina,bilirrubina,ビリルビン,билирубин,білірубін,χολερυθρίνη,bilirubiin,bilirubīns,bilirubinas,bilirubiini,胆红素,膽紅素,尿胆红素,빌리루빈,요빌리루빈,בילירובין,بيليروبين,bilirubín',
}
const byName = new Map(
  Object.entries(names).flatMap(([id, text]) => text.split(',').map((name) => [normaliseName(name), id] as const)),
)

const strip = /\s*[([](?:test ?strip|strip|dipstick|teststreifen|stix|remsa|bandelette|tira|striscia|stick)[)\]]$/iu

/** Whether a name says that a test strip was read, which are of urine. */
export const isOfStrip = (name: string): boolean => strip.test(name)

/** "U-Glukos (remsa)", "Urine glucose": the letter of the system or its word, and what says that a strip was read. */
const bare = (name: string): string =>
  name
    .replace(/^(?:U-|(?:[Uu]rine|[Uu]rin|[Hh]arn)[ -])(?=\p{L}{2})/u, '')
    .replace(/\[[^\]]*\]/g, ' ')
    .trim()
    .replace(
      /[\s,(]+(?:(?:in|of|im|i\.|en|dans les?|nelle) ?)?(?:ur|urines?|harn|urina?|orina|[iİ]drar|urinaires?|urin[aá]ri[oa]s?)(?:[\s,]+(?:by )?(?:random|spot|sediment|(?:test )?strip|dipstick))?\)?$/iu,
      '',
    )
    .replace(strip, '')

/** "Glucose, serum" and "P-Kalium" are of no urine, whatever stands above them. */
const saysOther = (name: string): boolean =>
  /^f?(?:[SPB]|[avc]B|Sg)-/u.test(name) || (specimensIn(name) ?? []).some((id) => id !== 'urine')

/** Whether a name says urine and nothing else by its words, or by the letter of Nordic laboratories where the specimen says it, too. */
export const namesUrine = (name: string, specimen: string): boolean =>
  ['urine', 'urine_sediment'].includes(specimensIn(name)?.join() ?? '') ||
  (/^U-(?=\p{L}{2})/u.test(name) && specimensIn(specimen)?.join() === 'urine')

/** The biomarker that a name means where the specimen is known to be urine. */
export function matchInUrine(catalogue: readonly Biomarker[], name: string): Biomarker | undefined {
  const exact = exactName(catalogue, name) ?? matchInfection(catalogue, name)
  if (exact?.specimens?.includes('urine')) return exact
  const plain = bare(name)
  const own = byName.get(normaliseName(plain))
  const meant = own || saysOther(plain) ? undefined : matchName(catalogue, plain)?.biomarker
  if (meant?.specimens?.includes('urine')) return meant
  // Of "Glucose / Glucose (urine)" one side alone is of urine.
  const isOfOneSide = plain !== name && plain.includes('/')
  const id = own ?? (isOfOneSide ? undefined : inUrine[meant?.id ?? ''])
  return catalogue.find((one) => one.id === id)
}

const urineWords =
  /(?<!\p{L})(?:\p{L}*urin\p{L}*|moč[ei]?|u-?status|harn\p{L}*|orinas?|ecbu|ua|mocz|moczu|[iİ]drar|尿検査|尿定性|尿一般検査|尿液|尿常规|尿常規|尿液检查|尿液分析|моч[аи]|сеч[аі]|урина(?:та)?|mokrać[aei]|seč[au]?|urină|urinei|vizelet\p{L}*|ούρων|ούρα|šlapim[oe]|virtsa\p{L}*|þvag\p{L}*|moču|orin[ae]s?|nước tiểu|소변|소변검사|뇨|요|البول|بول|שתן)(?!\p{L})/giu
/** What else stands in titles of tables of urine, without telling of another specimen or panel. */
const besides =
  /(?<!\p{L})(?:reflex to culture|analysis|routine|complete|w|with|reflex|microscop\p{L}*|sediment|macroscop\p{L}*|chemical|physical|examination|exam|esami|su|dipstick|bandelettes?|test|strips?|status|streifen\p{L}*|teststreifen|examen|exame|esame|chimico|fisico|dell[ea]|di|du|des|de|la|sistemátic[oa]|tipo|ii?|eas|complet[oa]|básico|elemental|y|e|et|und|and|sedim\p{L}*|badanie|ogólne|tam|tetk[iİ]\p{L}*|onderzoek|stick|анализ|аналіз|общий|загальний|общо|изследване|исследование|дослідження|физико-химическ\p{L}*|химическ\p{L}*|микроскоп\p{L}*|мікроскоп\p{L}*|клинический|клінічний|analiza|pregled|kompletan|kemijski|sumar|examen|vizsgálat\p{L}*|általános|rutin|γενική|ανάλυση|tyrimas|bendras|analīze|pilna|üldanalüüs|analüüs|tutkimus|kemiallinen|seula|rannsókn|undersøkelse|undersökning|vyšetření|vyšetrenie|chemické|chemicky|tổng phân tích|xét nghiệm|lengkap|rutin|pemeriksaan|분석|검사|일반|检查|分析|常规|تحليل|בדיקת|כללית|mid|stream|midstream|clean|catch|specimen|sample|random|spot|micción|aislada|muestra|general[ei]?|geral|tira|reactiva|reativa|reattiva|fita|simple)(?!\p{L})/giu

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
