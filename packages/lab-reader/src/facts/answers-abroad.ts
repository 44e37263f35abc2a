import type { Presence } from './finding-schema.ts'

/** What laboratories write in languages that `findings.ts` does not list, a line a language, without accents. */
export const abroad: Record<Presence, string> = {
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
