/**
 * Headings in the languages that `headings.ts` and `pdf/columns.ts` do not list, a line a language. `goals` holds what is wished for or
 * what others have, which is no result either, and `changes` what would make another value of the printed one.
 */
const tables = {
  name: `
    ru: исследование; исследования; показатель; показатели; наименование; наименование показателя; наименование исследования; название теста; название показателя; название исследования; тест; анализ; параметр; компонент
    uk: показник; показники; дослідження; назва показника; назва дослідження; найменування; найменування показника; аналіз; тест
    bg: показател; показатели; изследване; изследвания; параметър
    hr: pretraga; pretrage; naziv pretrage; analiza; analize; naziv analize; parametar; анализа; параметар
    sl: preiskava; preiskave
    ro: analit; analiză; analize; analize medicale; denumire; denumire analiză; denumire test; parametru; investigație; investigații
    hu: vizsgálat; vizsgálatok; vizsgálat neve; vizsgálat megnevezése; paraméter; megnevezés; teszt
    el: εξέταση; εξετάσεις; παράμετρος; ονομασία εξέτασης; ανάλυση
    et: analüüs; analüüsid; analüüsi nimetus; uuring; näitaja; nimetus
    lv: analīze; analīzes; izmeklējums; rādītājs; rādītāji; parametrs
    lt: tyrimas; tyrimai; tyrimo pavadinimas; rodiklis; rodikliai; analitė
    fi: tutkimus; tutkimukset; tutkimuksen nimi; koe; kokeen nimi
    is: rannsókn; rannsóknir; mæling; mælingar
    no: undersøkelse; undersøkelser; analysenavn
    nl: bepalingen; onderzoeken
    de: messgröße; messgrößen ; fr: épreuve; épreuves ; hr: analit; analiti
    pl: nazwa; nazwa parametru; oznaczenie; oznaczenia; parametry
    cs: vyšetření; název vyšetření; název; název testu; analyt; položka
    sk: vyšetrenie; parameter; analyt; názov vyšetrenia; názov
    tr: tahlil; tahlil adı; parametre; analiz; çalışılan test; tetkikler
    pt: teste; testes; ensaio; determinação; determinações; parâmetro; parâmetros; nome do exame
    ca: prova; proves; anàlisi; anàlisis; determinació; determinacions; magnitud; paràmetre
    vi: xét nghiệm; tên xét nghiệm; chỉ số; tên chỉ số; yêu cầu xét nghiệm; nội dung xét nghiệm; danh mục xét nghiệm; chỉ số xét nghiệm
    id: pemeriksaan; jenis pemeriksaan; nama pemeriksaan; jenis ujian; nama ujian; ujian; nama tes
    zh: 项目名称; 项目; 检验项目; 檢驗項目; 检测项目; 項目名稱; 检查项目; 檢查項目; 中文名称; 项目中文名称; 名称; 检验项目名称; 檢驗名稱; 测定项目; 分析项目; 指标; 指标名称
    ko: 검사항목; 검사 항목; 검사명; 항목; 항목명; 검사종목; 검사 종목
    ar: الفحص; التحليل; اسم التحليل; اسم الفحص; الاختبار; اسم الاختبار
    he: בדיקה; הבדיקה; שם בדיקה; שם הבדיקה`,
  value: `
    ru: результат; результаты; результат исследования; значение; полученное значение; ваш результат
    uk: результат; результати; результат дослідження; значення
    bg: резултат; резултати; стойност; измерена стойност
    hr: rezultat; rezultati; vrijednost; vrednost; izmjerena vrijednost; izmerena vrednost; резултат
    sl: izvid
    ro: rezultate; valoare; valoare obținută; valoarea obținută
    hu: eredmény; eredmények; érték; mért érték
    el: αποτέλεσμα; αποτελέσματα; τιμή; ευρεθείσα τιμή
    et: tulemus; tulemused; väärtus
    lv: rezultāts; rezultāti; vērtība
    lt: rezultatas; rezultatai; reikšmė; vertė
    is: niðurstaða; niðurstöður; gildi
    no: verdi; måleverdi; ditt resultat; ditt svar
    da: dit resultat; dit svar; dine resultater
    de: ihr ergebnis; ihr wert
    fr: votre résultat ; es: su resultado; tu resultado ; it: il tuo risultato; il suo risultato
    sv: mätvärde; ditt resultat; ditt värde
    nl: resultaten; uitslagen; uw uitslag; uw resultaat
    pl: wynik badania; wartość
    fi: tulos; tulokset
    cs: výsledek; výsledky; hodnota; naměřená hodnota
    sk: výsledok; výsledky; nameraná hodnota
    tr: sonuç değeri; değer; sonucu
    pt: resultado obtido; valor obtido
    ca: resultats
    vi: kết quả; kết quả xét nghiệm
    id: hasil; hasil pemeriksaan; hasil tes; keputusan; keputusan ujian
    zh: 结果; 检测结果; 检验结果; 测定结果; 檢驗結果; 檢查結果; 检查结果; 结果值; 测定值; 检测值; 檢驗值; 本次结果; 數值
    ko: 결과; 검사결과; 검사 결과; 결과값; 결과치; 측정값; 측정치
    ar: النتيجة; نتيجة; القيمة; النتائج
    he: תוצאה; תוצאות; ערך`,
  unit: `
    ru: ед. изм.; ед.изм.; ед. изм; ед изм; ед.; единица; единицы; единица измерения; единицы измерения; ед. измерения; размерность
    uk: одиниця; одиниці; одиниці виміру; одиниця виміру; одиниці вимірювання; одиниця вимірювання; од. вим.; од.вим.; од. виміру
    bg: мерни единици; мерна единица; единици; мярка; мерна ед.
    hr: jedinica; jedinice; mjerna jedinica; mjerne jedinice; merna jedinica; merne jedinice; jed.; jed. mjere; jedinica mjere; jedinica mere; јединица; јединице
    sl: enota; enote; merska enota
    ro: um; u.m.; unitate; unități; unitate de măsură; unități de măsură
    hu: mértékegység; egység; m.egység; mért.egys.
    el: μονάδες; μονάδα; μονάδα μέτρησης; μονάδες μέτρησης; μον.; μον. μέτρησης
    et: ühik; ühikud; mõõtühik
    lv: mērvienība; mērvienības; mērv.; vienība; vienības
    lt: vienetai; vienetas; mato vienetas; mato vienetai; matavimo vienetai; matavimo vienetas; mat. vnt.; mat.vnt.; vnt.; mato vnt.
    fi: yksikkö; yksiköt
    is: eining; einingar
    no: måleenhet
    sv: enheter
    nl: eenheden
    pl: jednostka miary; j.m.
    cs: jednotka; jednotky; jedn; měrná jednotka
    sk: merná jednotka
    tr: birimi; birimler; sonuç birimi; test birimi; ölçü birimi
    pt: unid.; un.
    ca: unitat; unitats
    vi: đơn vị; đơn vị tính; đơn vị đo; đvt
    id: satuan
    zh: 单位; 單位
    ko: 단위
    ar: الوحدة; وحدة; الوحدات; وحدة القياس
    he: יחידות; יחידה; יחידות מידה; יח'`,
  range: `
    ru: референсные значения; референсное значение; референсный интервал; референсные интервалы; референтные значения; референтный интервал; референс; реф. значения; реф.значения; реф. интервал; референсный диапазон; норма; нормы; нормальные значения; нормальный диапазон; границы нормы; пределы нормы; диапазон
    uk: референсні значення; референтні значення; референтний інтервал; референсний інтервал; референтні інтервали; референс; реф. значення; нормальні значення; межі норми; референсні межі; референтні межі
    bg: референтни стойности; референтна стойност; референтни граници; референтен интервал; реф. граници; реф. стойности
    hr: referentni interval; referentni intervali; referentne vrijednosti; referentne vrednosti; referentna vrijednost; ref. interval; ref. vrijednosti; ref. vrednosti; referentni raspon; referentni opseg; референтне вредности; референтни интервал
    sl: referenčne vrednosti; referenčno območje; ref. vrednosti; ref. meje
    ro: interval de referință; intervale de referință; interval biologic de referință; intervale biologice de referință; valori de referință; valori biologice de referință; valori normale; limite normale
    hu: referenciatartomány; referencia tartomány; referenciaérték; referencia érték; referenciaértékek; normálérték; normál érték; normál tartomány; ref. tartomány; ref.tartomány; referencia intervallum
    el: τιμές αναφοράς; τιμή αναφοράς; φυσιολογικές τιμές; όρια αναφοράς; διάστημα αναφοράς; φυσιολογικά όρια; εύρος αναφοράς; τιμές αναφ.
    et: referentsväärtus; referentsväärtused; referentsvahemik; referents; referentspiirid; viiteväärtus; norm
    lv: references intervāls; references intervāli; references vērtības; references vērtība; references robežas; atsauces intervāls; atsauces vērtības; ref. intervāls
    lt: norminės vertės; norminės reikšmės; pamatinis intervalas; pamatinės vertės; referencinės reikšmės; referencinės ribos; referentinės vertės; referentinis intervalas; normos ribos; atskaitos ribos; biologinis referencinis intervalas
    fi: viitearvo; viitearvot; viiteväli; viitealue; viiterajat; viitealueet; viitevälit
    is: viðmið; viðmiðunarmörk; viðmiðunargildi; viðmiðunarbil
    fr: référence; références; réf.
    no: referanse; referanseverdi; referanseverdier; ref.område; ref. område
    sv: referensvärde; referensvärden; referensområde
    da: referenceværdi; referenceværdier; ref. område
    nl: referenties; referentie interval; ref. waarden
    pl: wartość referencyjna; zakres ref.; wartości prawidłowe
    cs: referenční meze; referenční interval; referenční rozmezí; referenční hodnoty; ref. meze; meze; referenční rozsah; ref. rozmezí; fyziologické hodnoty; fyziologické rozmezí; normální hodnoty
    sk: referenčné hodnoty; referenčné rozmedzie; referenčný interval; referenčný rozsah; ref. hodnoty
    tr: referans değeri; referans aralıkları; referans değer; referans değerler; referans aralık; normal değer; normal değerler; normal aralık; biyolojik referans aralığı
    pt: intervalos de referência; valores normais; valores de referencia; referências
    ca: valors de referència; valor de referència; interval de referència; intervals de referència; interval biològic de referència; valors normals; marges de referència
    vi: giá trị tham chiếu; khoảng tham chiếu; khoảng tham chiếu sinh học; trị số tham chiếu; trị số bình thường; chỉ số bình thường; giá trị bình thường; csbt; tham chiếu
    id: nilai rujukan; nilai normal; nilai referensi; nilai acuan; rentang normal; rentang rujukan; rentang nilai rujukan; batas normal; julat rujukan; julat normal
    zh: 参考范围; 参考值; 参考区间; 參考值; 參考區間; 參考範圍; 正常范围; 正常值; 正常參考值; 正常参考值; 生物参考区间; 生物參考區間; 参考值范围; 參考值範圍; 正常值范围
    ko: 참고치; 참고값; 참고범위; 참고 범위; 참고구간; 정상범위; 정상 범위; 정상치; 정상참고치; 기준치; 기준범위
    ar: المعدل الطبيعي; القيم المرجعية; القيمة المرجعية; القيم الطبيعية; المدى الطبيعي; المدى المرجعي; النطاق المرجعي; المجال المرجعي
    he: ערכי ייחוס; ערכי יחוס; טווח ייחוס; טווח נורמלי; טווח תקין; טווח הנורמה; ערכים תקינים; תחום הנורמה`,
  low: `
    ru: нижняя граница; нижний предел; норма от; мин; минимум
    uk: нижня межа; мін
    hr: donja granica ; sl: spodnja meja
    ro: limita inferioară ; hu: alsó határ ; el: κατώτερο όριο ; et: alumine piir ; fi: alaraja ; lt: apatinė riba ; lv: apakšējā robeža
    no: nedre grense ; cs: dolní mez ; sk: dolná hranica ; ca: límit inferior ; id: batas bawah ; vi: giới hạn dưới
    zh: 参考下限; 参考低值 ; ko: 하한 ; he: גבול תחתון`,
  high: `
    ru: верхняя граница; верхний предел; норма до; макс; максимум
    uk: верхня межа
    hr: gornja granica ; sl: zgornja meja
    ro: limita superioară ; hu: felső határ ; el: ανώτερο όριο ; et: ülemine piir ; fi: yläraja ; lt: viršutinė riba ; lv: augšējā robeža
    no: øvre grense ; cs: horní mez ; sk: horná hranica ; ca: límit superior ; id: batas atas ; vi: giới hạn trên
    zh: 参考上限; 参考高值 ; ko: 상한 ; he: גבול עליון`,
  flag: `
    ru: флаг; отметка; отклонение ; uk: відхилення; позначка ; hr: oznaka; odstupanje ; hu: jelzés; eltérés ; el: ένδειξη; σήμανση; επισήμανση
    lv: novirze ; lt: nuokrypis; žyma ; fi: poikkeama ; is: frávik ; no: avvik; merking; vurdering ; da: vurdering ; sv: avvikelse; bedömning ; pl: odchylenie ; cs: příznak; odchylka ; sk: príznak
    tr: uyarı ; vi: bất thường ; id: tanda ; zh: 提示; 异常提示; 标志; 异常标志; 标记; 標記; 高低; 异常; 異常 ; ko: 판정; 이상여부 ; he: סימון; חריג`,
  collected: `
    ru: дата взятия; дата взятия образца; дата взятия биоматериала; дата взятия материала; дата взятия пробы; дата забора; дата забора материала; дата забора биоматериала; взятие материала
    uk: дата взяття; дата взяття зразка; дата взяття матеріалу; дата взяття біоматеріалу; дата забору; дата забору матеріалу
    bg: дата на вземане; дата на взимане
    hr: datum uzorkovanja; vrijeme uzorkovanja; datum uzimanja uzorka; datum i vrijeme uzorkovanja ; sl: datum odvzema; čas odvzema; datum in čas odvzema
    ro: data recoltării; recoltat; recoltat la; data și ora recoltării; data recoltare
    hu: mintavétel; mintavétel ideje; mintavétel dátuma; mintavétel időpontja
    el: ημερομηνία αιμοληψίας; ημ/νία αιμοληψίας; αιμοληψία; ημερομηνία δειγματοληψίας; ημερομηνία λήψης; ημ/νία δειγματοληψίας; ημ/νία λήψης; δειγματοληψία
    et: proovi võtmise aeg; proovivõtu aeg; proov võetud ; lv: parauga ņemšanas datums; parauga paņemšanas laiks; parauga ņemšanas laiks
    lt: ėminio paėmimo data; mėginio paėmimo data; paėmimo data; paimta
    fi: näyte otettu; näytteenottoaika; näytteenottopäivä; näytteenotto; otettu ; is: sýnataka; sýnatökudagur; sýnatökutími; sýni tekið
    no: prøvetatt; prøvetakingstidspunkt; prøvetakingstid; prøve tatt ; sv: provtagningstidpunkt; provdatum; provtagning; provet taget; prov taget ; de: probenahme; probenahmedatum; probenentnahme; blutentnahme; blutentnahme am ; es: toma de muestra; extracción ; da: prøvetagningstidspunkt; prøvetaget; prøvetagningstid; prøven er taget; prøven er taget den
    nl: staalafname; bloedafname; datum staalafname; datum afname; afgenomen; afgenomen op ; pl: data pobrania materiału; data pobrania próbki; data i godzina pobrania materiału
    cs: odběr; čas odběru; odebráno ; sk: odber; čas odberu; dátum a čas odberu
    tr: numune alma zamanı; örnek alma tarihi; kan alma tarihi; numune alış tarihi ; pt: data de recolha; data da recolha; data coleta; data colheita; coletado em; colhido em; colheita; coleta
    ca: data d'extracció; data extracció ; vi: ngày lấy mẫu; thời gian lấy mẫu ; id: tanggal pengambilan; tanggal pengambilan sampel; tgl pengambilan; tgl. pengambilan; waktu pengambilan; tarikh pengambilan
    zh: 采样时间; 采样日期; 采集时间; 采集日期; 采血时间; 采血日期; 标本采集时间; 採檢日期; 採檢時間; 採樣日期; 採集日期; 採血時間
    ko: 채혈일; 채혈일시; 채취일; 채취일시; 검체채취일; 검체채취일시
    ar: تاريخ أخذ العينة; تاريخ سحب العينة; تاريخ جمع العينة; تاريخ السحب ; he: תאריך דגימה; תאריך נטילה; תאריך לקיחה; מועד נטילה`,
  resulted: `
    ru: дата выполнения; дата исследования; дата результата; дата готовности; дата выдачи ; uk: дата виконання; дата видачі; дата дослідження
    hr: datum nalaza; datum izdavanja ; ro: data rezultatului; data eliberării ; hu: lelet dátuma ; el: ημερομηνία αποτελέσματος; ημερομηνία έκδοσης
    fi: vastattu; vastauspäivä ; et: vastatud ; no: besvart; svardato ; sv: besvarat; svarsdatum ; nl: gerapporteerd; rapportdatum ; pl: data wydania; data wykonania; data autoryzacji
    cs: datum výsledku; uvolněno ; tr: onay tarihi; rapor tarihi; sonuç tarihi; uzman onay tarihi ; pt: data do resultado; data da liberação; liberado em
    vi: ngày trả kết quả; thời gian trả kết quả ; id: tanggal hasil; tanggal selesai ; zh: 报告时间; 报告日期; 報告日期; 報告時間; 检验日期; 检测时间; 审核时间; 審核時間; 檢驗日期 ; ko: 보고일; 보고일시; 결과보고일`,
  received: `
    ru: дата поступления; дата поступления материала; дата получения ; uk: дата надходження; дата отримання ; bg: дата на получаване; дата на постъпване
    hr: datum prijema; datum zaprimanja; zaprimljeno; primljeno ; sl: datum sprejema; sprejeto ; ro: data recepției; recepționat ; hu: érkezett; beérkezés; beérkezés ideje; minta érkezése
    el: ημερομηνία παραλαβής; παραλαβή ; et: saabunud; saabumise aeg; vastu võetud ; lv: saņemts; saņemšanas datums ; lt: gauta; gavimo data; gavimo laikas ; fi: saapunut; vastaanotettu ; is: móttekið
    no: mottatt; mottaksdato ; sv: ankomstdatum; ankomsttid; mottaget ; nl: ontvangen; ontvangen op; ontvangstdatum; datum ontvangst ; pl: data przyjęcia materiału; data i godzina przyjęcia; przyjęto
    cs: přijato; datum příjmu; čas příjmu ; sk: prijaté; dátum prijatia; dátum príjmu ; tr: kabul tarihi; kabul zamanı; laboratuvar kabul tarihi ; pt: recebido em; data de receção; data de recepção; data da receção
    ca: data de recepció ; vi: ngày nhận mẫu; thời gian nhận mẫu ; id: tanggal diterima; tanggal penerimaan ; zh: 接收时间; 接收日期; 收样时间; 收件日期; 签收时间; 簽收時間; 收檢日期 ; ko: 접수일; 접수일시; 접수일자 ; ar: تاريخ الاستلام ; he: תאריך קבלה; התקבל`,
  patient: `
    ru: пациент; пациентка; фио; ф.и.о.; фио пациента; ф.и.о. пациента ; uk: пацієнт; пацієнтка; піб; п.і.б.; піб пацієнта ; bg: трите имена; име на пациента
    hr: pacijent; pacijentica; ime i prezime; prezime i ime; ime pacijenta; име и презиме; пацијент ; sl: ime in priimek; priimek in ime; preiskovanec; preiskovanka
    ro: nume pacient; nume și prenume; numele și prenumele ; hu: név; páciens; páciens neve; beteg neve; beteg ; el: ονοματεπώνυμο; ονοματεπώνυμο ασθενούς; ασθενής; εξεταζόμενος; εξεταζόμενη; όνομα ασθενούς
    et: patsient; patsiendi nimi ; lv: pacients; pacienta vārds; vārds, uzvārds; vārds uzvārds ; lt: pacientas; pacientė; vardas, pavardė; vardas pavardė ; fi: nimi; potilas; potilaan nimi; asiakas ; is: nafn; sjúklingur
    no: pasient; pasientnavn ; nl: patiënt; patiënte; cliënt; cliënte; patiëntnaam; naam patiënt; naam cliënt ; pl: imię i nazwisko; nazwisko i imię ; cs: jméno; příjmení a jméno ; sk: meno; priezvisko a meno ; tr: hasta adı soyadı; ad soyad; adı-soyadı
    pt: nome do paciente; nome do utente ; ca: nom i cognoms; nom del pacient ; vi: họ tên; họ và tên; tên bệnh nhân; họ tên bệnh nhân; bệnh nhân; người bệnh ; id: nama; nama pasien; pasien; nama pesakit; pesakit
    zh: 姓名; 患者姓名; 病人姓名; 病患姓名; 受检者; 受檢者姓名 ; ko: 이름; 성명; 환자명; 환자성명; 수진자; 수진자명 ; ar: اسم المريض; الاسم; المريض ; he: שם; שם המטופל; שם מטופל; מטופל`,
  givenName: `
    ru: имя ; uk: ім'я ; hr: ime; име ; ro: prenume ; hu: keresztnév; utónév ; el: όνομα ; fi: etunimi ; et: eesnimi ; lv: vārds ; lt: vardas ; sv: förnamn ; cs: křestní jméno ; sk: krstné meno
    pt: primeiro nome ; id: nama depan ; he: שם פרטי ; ar: الاسم الأول`,
  familyName: `
    ru: фамилия ; uk: прізвище ; hr: prezime; презиме ; sl: priimek ; ro: nume de familie ; hu: vezetéknév; családnév ; el: επώνυμο ; fi: sukunimi ; et: perekonnanimi ; lv: uzvārds ; lt: pavardė
    no: etternavn ; sv: efternamn ; cs: příjmení ; sk: priezvisko ; pt: apelido; sobrenome ; ca: cognom; cognoms ; id: nama belakang ; he: שם משפחה ; ar: اسم العائلة`,
  born: `
    ru: дата рождения; д.р.; дата рожд. ; uk: дата народження ; bg: дата на раждане ; hr: datum rođenja; датум рођења; dat. rođ. ; sl: datum rojstva ; ro: data nașterii; născut la
    hu: születési dátum; születési idő; született; szül. idő; szül. dátum; szül. ; el: ημερομηνία γέννησης; ημ/νία γέννησης; ημ. γέννησης ; et: sünniaeg; sünnikuupäev ; lv: dzimšanas datums ; lt: gimimo data; gim. data
    fi: syntymäaika; synt. aika ; is: fæðingardagur; fædd; fæddur ; no: født ; sv: född ; da: fødselsdag ; nl: geboren op; geboren; geb. datum ; pl: data ur.; ur. ; cs: narozen; narozena; dat. nar.; nar. ; sk: narodený; narodená; dátum nar.
    tr: d.tarihi; doğ. tarihi ; pt: data nascimento; data de nasc.; nascimento ; ca: data de naixement; data naixement ; vi: ngày sinh ; id: tanggal lahir; tgl lahir; tgl. lahir; tarikh lahir
    zh: 出生日期; 出生年月日; 生日 ; ko: 생년월일 ; ar: تاريخ الميلاد; تاريخ الولادة ; he: תאריך לידה; ת. לידה; ת.לידה`,
  sex: `
    ru: пол ; uk: стать ; hr: spol; pol ; el: φύλο ; et: sugu ; lv: dzimums ; fi: sukupuoli ; is: kyn ; no: kjønn ; da: køn ; pt: gênero; género ; ca: gènere
    vi: giới tính; giới ; id: jenis kelamin; jantina; kelamin ; zh: 性别 ; ko: 성별 ; ar: الجنس ; he: מין`,
  patientId: `
    ru: номер карты; id пациента; № карты; снилс ; uk: id пацієнта; номер картки ; bg: егн ; hr: oib; mbo; jmbg; матични број ; sl: emšo ; ro: cnp ; hu: taj; taj szám; taj-szám ; el: αμκα; α.μ.κ.α. ; et: isikukood
    lv: personas kods ; lt: asmens kodas ; fi: henkilötunnus; hetu ; is: kennitala ; no: fødselsnummer; fødselsnr ; sv: personnummer; personnr ; da: cpr-nr; cpr-nr.; cpr-nummer ; nl: bsn; patiëntnummer ; pl: nr pacjenta
    cs: rodné číslo; číslo pojištěnce ; tr: t.c. kimlik no; tc kimlik no; tc no; hasta no; protokol no; dosya no ; pt: nº utente ; ca: nhc ; vi: mã bệnh nhân; mã bn; số hồ sơ ; id: no. rm; no rm; nomor rekam medis; no. rekam medis
    zh: 病历号; 住院号; 门诊号; 病歷號; 病歷號碼; 門診號; 身份证号; 患者编号; 病人编号; 登记号 ; ko: 등록번호; 환자번호; 차트번호; 주민등록번호 ; ar: رقم المريض; رقم الملف; رقم الهوية ; he: ת.ז.; ת"ז; תעודת זהות; מספר זהות`,
  accession: `
    ru: номер пробы; № пробы; номер образца; номер заказа; № заказа; штрих-код ; uk: номер проби; номер замовлення ; hr: broj uzorka ; ro: cod probă; cod de bare ; hu: mintaazonosító; vonalkód ; fi: näytenumero; näytetunnus
    no: prøvenummer ; sv: provnummer ; da: rekvisitionsnr ; pl: numer próbki; kod kreskowy; nr zlecenia ; cs: číslo vzorku; číslo žádanky ; tr: barkod; barkod no; numune no ; vi: mã mẫu ; id: no. lab; no. sampel; nomor lab
    zh: 样本号; 标本号; 样本编号; 条码号; 条形码; 條碼; 檢體編號 ; ko: 검체번호; 접수번호; 바코드`,
  status: `
    ru: статус; состояние ; uk: стан ; ro: stare ; hu: állapot; státusz ; el: κατάσταση ; et: staatus; olek ; lv: statuss ; lt: būsena; statusas ; is: staða ; tr: durumu ; ca: estat ; vi: trạng thái ; zh: 状态; 狀態 ; ko: 상태 ; he: סטטוס`,
  comment: `
    ru: комментарий; комментарии; примечание; примечания; интерпретация ; uk: коментар; коментарі; примітка; примітки; інтерпретація ; bg: забележка; забележки; бележка
    hr: napomena; napomene; primjedba; напомена; komentari ; sl: opomba; opombe ; ro: observații; comentariu; comentarii; interpretare; mențiuni ; hu: megjegyzés; megjegyzések ; el: σχόλια; σχόλιο; παρατηρήσεις; παρατήρηση
    et: märkus; märkused; kommentaar ; lv: piezīme; piezīmes; komentārs; komentāri ; lt: pastaba; pastabos; komentaras; komentarai ; fi: huomautus; huomautukset; kommentti; lausunto; huom. ; is: athugasemd; athugasemdir; umsögn
    no: merknad; merknader ; sv: anmärkningar; kommentarer ; nl: toelichting; commentaar ; pl: komentarze; interpretacja ; tr: yorum; yorumlar; notlar ; pt: obs.; obs ; ca: comentari; comentaris; observacions
    vi: ghi chú; nhận xét; chú thích ; id: keterangan; catatan; ulasan ; zh: 备注; 備註; 说明; 附注 ; ko: 비고; 참고사항; 코멘트; 소견 ; ar: ملاحظات; ملاحظة; تعليق ; he: הערות; הערה`,
  specimen: `
    ru: биоматериал; материал; тип материала; тип биоматериала; вид биоматериала; образец ; uk: біоматеріал; матеріал; зразок; тип матеріалу; вид біоматеріалу ; bg: биологичен материал; вид материал; проба
    hr: uzorak; materijal; vrsta uzorka; vrsta materijala; biološki materijal; узорак ; sl: vzorec; vrsta vzorca ; ro: produs biologic; probă; tip probă ; hu: minta; mintatípus; minta típusa; vizsgálati anyag ; el: δείγμα; υλικό; είδος δείγματος; βιολογικό υλικό
    et: materjal; proovimaterjal; uuritav materjal ; lv: paraugs; materiāls; parauga veids; testējamais materiāls ; lt: mėginys; ėminys; tiriamoji medžiaga; ėminio tipas; mėginio tipas ; fi: näyte; näytemateriaali; näytelaatu; näytetyyppi
    is: sýni; sýnategund; tegund sýnis ; no: materiale ; da: prøvetype ; nl: afnamemateriaal; monster ; pl: rodzaj materiału; materiał badany ; cs: typ vzorku; druh materiálu; odebraný materiál ; sk: druh materiálu
    tr: örnek türü; örnek; materyal ; pt: amostra; tipo de amostra ; ca: mostra; tipus de mostra; espècimen ; vi: loại mẫu; bệnh phẩm; loại bệnh phẩm; mẫu bệnh phẩm ; id: sampel; spesimen; jenis sampel; jenis spesimen; bahan pemeriksaan
    zh: 标本; 标本类型; 标本种类; 样本; 样本类型; 样本种类; 檢體; 檢體類別; 檢體種類; 標本 ; ko: 검체; 검체명; 검체종류 ; ar: العينة; نوع العينة ; he: דגימה; סוג דגימה`,
  changes: `
    ru: коэффициент; разведение; фактор разведения; исправленное значение; скорректированное значение; скорректированный результат; исправленный результат ; uk: розведення; скоригований результат; виправлений результат
    bg: разреждане; коригиран резултат ; hr: razrjeđenje; razblaženje; korigirana vrijednost; korigovana vrednost; ispravljeni rezultat ; sl: redčenje; popravljen rezultat
    ro: diluție; factor de diluție; rezultat corectat; valoare corectată ; hu: hígítás; javított eredmény; korrigált érték; módosított eredmény ; el: αραίωση; διορθωμένο αποτέλεσμα; διορθωμένη τιμή
    et: lahjendus; parandatud tulemus ; lv: atšķaidījums; labotais rezultāts ; lt: praskiedimas; pataisytas rezultatas ; fi: laimennus; laimennuskerroin; korjattu tulos; korjattu arvo ; is: þynning; leiðrétt svar; leiðrétt niðurstaða
    no: fortynning; korrigert svar; korrigert resultat; korrigert verdi; rettet svar ; sv: spädning; spädningsfaktor; korrigerat svar; korrigerat värde; rättat svar ; da: fortyndingsfaktor; korrigeret svar; korrigeret resultat
    nl: verdunning; verdunningsfactor; gecorrigeerd; gecorrigeerde waarde; gecorrigeerde uitslag ; pl: rozcieńczenie; współczynnik; wynik skorygowany; wartość skorygowana; korekta
    cs: ředění; koeficient; opravený výsledek; korigovaná hodnota ; sk: riedenie; opravený výsledok; korigovaná hodnota ; tr: dilüsyon; seyreltme; düzeltilmiş sonuç; düzeltilmiş değer
    pt: diluição; fator de diluição; resultado corrigido; valor corrigido; fator ; ca: dilució; resultat corregit; valor corregit ; vi: độ pha loãng; hệ số; kết quả hiệu chỉnh ; id: pengenceran; faktor pengenceran; hasil koreksi
    zh: 稀释倍数; 稀释; 倍数; 校正值; 修正值; 更正结果; 稀釋倍數; 校正結果 ; ko: 희석배수; 희석; 보정값; 수정결과 ; ar: معامل التخفيف; التخفيف ; he: מיהול; תוצאה מתוקנת`,
  method: `
    ru: метод; методика; метод исследования ; uk: методика ; ro: metodă ; hu: módszer ; el: μέθοδος ; et: meetod ; lt: metodas ; fi: menetelmä ; is: aðferð ; ca: mètode ; vi: phương pháp ; id: kaedah
    zh: 方法; 检测方法; 检验方法; 方法学; 檢驗方法 ; ko: 방법; 검사방법 ; ar: الطريقة ; he: שיטה`,
  previous: `
    ru: предыдущий результат; предыдущие результаты; предыдущее значение; предыдущий; пред. результат; прошлый результат; архив ; uk: попередній результат; попередні результати; попереднє значення; попередній
    bg: предишен резултат; предишни резултати; предишна стойност; предходен резултат ; hr: prethodni rezultat; prethodni rezultati; prethodni nalaz; prethodni; prethodna vrijednost; prethodna vrednost; raniji rezultat; претходни резултат
    sl: prejšnji rezultat; prejšnji izvid; prejšnji; predhodni rezultat ; ro: rezultat anterior; rezultate anterioare; valoare anterioară; istoric ; hu: előző eredmény; előző érték; előző; korábbi eredmény; korábbi eredmények; korábbi; előzmény
    el: προηγούμενο αποτέλεσμα; προηγούμενα αποτελέσματα; προηγούμενη τιμή; προηγούμενη; ιστορικό ; et: eelmine tulemus; eelmine; varasem tulemus; eelnev tulemus ; lv: iepriekšējais rezultāts; iepriekšējie rezultāti; iepriekšējais
    lt: ankstesnis rezultatas; ankstesni rezultatai; ankstesnis; buvęs rezultatas ; fi: edellinen tulos; edellinen; edelliset tulokset; aiempi tulos; aiemmat tulokset ; is: fyrri niðurstaða; fyrri niðurstöður; fyrra svar; síðasta svar
    no: forrige svar; forrige resultat; tidligere svar; tidligere resultat; siste svar; siste resultat ; sv: tidigare svar; tidigare; tidigare resultat; senaste svar ; da: seneste svar
    nl: vorig resultaat; vorige waarde; vorige resultaten; eerdere uitslag; historiek ; pl: poprzednia wartość; wcześniejszy wynik; wyniki poprzednie; poprzednie wyniki ; cs: předchozí hodnota; předchozí výsledky; minulá hodnota
    sk: predchádzajúci; predošlý výsledok; predchádzajúca hodnota ; tr: önceki değer; önceki sonuçlar; geçmiş sonuç; eski sonuç ; pt: valor anterior; resultados anteriores; histórico; último resultado ; ca: resultat anterior; resultats anteriors; valor anterior
    vi: kết quả trước; kết quả lần trước; lần trước ; id: hasil sebelumnya; sebelumnya; hasil lalu; hasil terdahulu; keputusan lepas ; zh: 上次结果; 上次結果; 前次结果; 前次結果; 历史结果; 既往结果; 历次结果; 上次; 前次
    ko: 이전결과; 이전 결과; 이전; 과거결과; 직전결과; 전회결과 ; ar: النتيجة السابقة; السابقة ; he: תוצאה קודמת; תוצאות קודמות; בדיקה קודמת; קודם`,
  goals: `
    ru: цель; целевое значение; среднее; среднее значение ; uk: ціль; цільове значення; середнє ; bg: цел; целева стойност ; hr: cilj; ciljna vrijednost; ciljna vrednost; prosjek; prosek ; ro: țintă; valoare țintă; medie
    hu: cél; célérték; átlag ; el: στόχος; τιμή στόχος; μέσος όρος ; et: eesmärk; keskmine ; lv: mērķis; vidējais ; lt: tikslas; tikslinė reikšmė; vidurkis ; fi: tavoite; tavoitearvo; keskiarvo ; is: markmið; meðaltal
    no: målverdi; behandlingsmål; gjennomsnitt ; sv: medelvärde ; da: gennemsnit ; nl: streefwaarde; gemiddelde ; pl: wartość docelowa; średnia; cel ; cs: cílová hodnota; průměr; cíl ; sk: cieľová hodnota; priemer; cieľ
    tr: hedef; hedef değer; ortalama ; pt: meta; alvo; valor alvo; média ; ca: objectiu; valor objectiu; mitjana ; vi: mục tiêu; trung bình ; id: sasaran; rata-rata; nilai target ; zh: 目标; 目标值; 目標值; 平均值 ; ko: 목표; 목표치; 평균
    ar: الهدف; المتوسط ; he: יעד; ממוצע`,
  ignored: `
    ru: код; код теста; код услуги; №; № п/п; п/п; номер; врач; возраст; лаборатория; оборудование; исполнитель ; uk: № з/п; лікар; вік ; bg: възраст; лекар ; hr: šifra; r.br.; rbr; redni broj; dob; liječnik; lekar ; sl: starost; zdravnik
    ro: cod; nr. crt.; nr.crt.; vârstă; medic ; hu: kód; sorszám; életkor; orvos ; el: κωδικός; α/α; ηλικία; ιατρός ; et: kood; vanus; arst ; lv: kods; vecums; ārsts ; lt: kodas; eil. nr.; amžius; gydytojas ; fi: koodi; ikä; lääkäri; lyhenne
    is: aldur; læknir ; no: alder; lege; kode ; sv: ålder; läkare; kod ; da: læge ; nl: leeftijd; afkorting ; pl: lp.; l.p.; lp; wiek; lekarz; kod badania ; cs: věk; lékař ; sk: vek; lekár ; tr: sıra; sıra no; yaş; doktor ; pt: código; idade; médico
    ca: codi; edat; metge ; vi: stt; mã; mã xét nghiệm; tuổi; bác sĩ; máy xn ; id: no.; kode; usia; umur; dokter ; zh: 序号; 编号; 代码; 代号; 年龄; 年齡; 医生; 醫師; 英文缩写; 英文简称; 缩写; 简称; 英文名称; 英文名; 英文代号; 項次; 项目代码; 審核者; 审核者; 检验者
    ko: 순번; 번호; 코드; 검사코드; 나이; 연령; 의사 ; ar: الرمز; العمر; الطبيب ; he: קוד; קוד בדיקה; גיל; רופא`,
} as const

export type KindAbroad = keyof typeof tables

const phrasesOf = (table: string): string[] =>
  table
    .replaceAll(/(?<=[\s;])[a-z]{2}: /g, ';')
    .split(/\s*;\s*/)
    .map((phrase) => phrase.trim())
    .filter((phrase) => phrase !== '')

/** These headings of a kind as a part of an expression, the longer ones first. */
export const anyHeading = (kind: KindAbroad): string =>
  phrasesOf(tables[kind])
    .sort((a, b) => b.length - a.length)
    .map((phrase) => phrase.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`))
    .join('|')

/** Each heading with what its column holds, in small letters. */
export const headingsAbroad: readonly (readonly [heading: string, kind: KindAbroad])[] = Object.entries(tables).flatMap(
  ([kind, table]) => phrasesOf(table).map((phrase) => [phrase, kind as KindAbroad] as const),
)
