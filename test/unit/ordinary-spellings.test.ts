import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { isVetoed } from '@kitlane/lab-reader/facts/guarded-match'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { holdsOf } from '@kitlane/lab-reader/parse/pdf/section'
import { describe, expect, it } from 'vitest'
import { makePdf } from '../samples/make-pdf.ts'

const becameOf = async (bytes: Uint8Array) => {
  const { reports } = await parseBytes(bytes, { maxPages: 2 })
  return reports
    .map((report) => identifyReport(report, biomarkers))
    .flatMap(({ results, unmatched }) => [
      ...results.map((one) => [one.biomarkerId, 'value' in one ? one.value : one.finding.value]),
      ...unmatched.map(({ name, code }) => [name, code]),
    ])
}
const table = (...rows: string[]) => becameOf(Buffer.from(rows.join('\n')))
const message = (...segments: string[]) =>
  becameOf(
    Buffer.from(
      [
        'MSH|^~\\&|LAB|X|KITLANE|Y|20260402120000||ORU^R01|1|P|2.5.1',
        'PID|1||X||Tester^Bo||19800229|F',
        ...segments,
      ].join('\r'),
    ),
  )

describe('in a message', () => {
  const request = 'OBR|1|P1|F1|CHEM^Chemistry^L|||20260402081500'
  const sodium = 'OBX|1|NM|2951-2^Sodium^LN||140|mmol/L|136-145||||F|||20260402081500||||||'

  it.each([
    ['20260402101500', ['sodium', 140]],
    ['202604021015+0100', ['sodium', 140]],
    ['LA^Left arm^HL70163', ['sodium', 140]],
    ['20260499101500', ['Sodium', 'otherSite']],
    ['128477000', ['Sodium', 'otherSite']],
  ])('a time where the site of the body belongs is no site: %s', async (site, found) => {
    expect(await message(request, sodium + site)).toEqual([found])
  })

  it.each([
    ['UR', 'UK^POTASSIUM^L^2828-2^Potassium Ur-sCnc^LN', ['potassium_urine', 38]],
    ['UR', 'UCL^CHLORIDE^L^2078-4^Chloride Ur-sCnc^LN', ['chloride_urine', 38]],
    ['UR', 'UK^POTASSIUM^L^2828-2^Potassium SerPl-sCnc^LN', ['POTASSIUM', 'severalBiomarkers']],
    ['SER', 'UK^POTASSIUM^L^2828-2^Potassium Ur-sCnc^LN', ['POTASSIUM', 'otherSpecimen']],
    ['', 'KU^Kalium i. Urin^L', ['potassium_urine', 38]],
  ])('a bare name is of urine where specimen %s, code and second name say so: %s', async (specimen, name, found) => {
    const [code] = await message(
      `OBR|1|P1|F1|RENU^Renal panel^L|||20260402081500||||||||${specimen}`,
      `OBX|1|NM|${name}||38|mmol/L|||||F`,
    )
    expect(found[1] === 38 ? code : [code?.[0], typeof code?.[1]]).toEqual(
      found[1] === 38 ? found : [found[0], 'string'],
    )
  })

  it('what is measured fasting is not of the load that it stands under', async () => {
    const under = (title: string, name: string) =>
      message(`OBR|1|P1|F1|X^${title}^L|||20260402080000`, `OBX|1|NM|X^${name}^L||91|mg/dL|||||F`)
    expect(await under('Glucose tolerance 75 g', 'Fasting glucose')).toEqual([['glucose', 91]])
    expect(await under('OGTT', 'Glukose nüchtern')).toEqual([['glucose', 91]])
    expect(await under('OGTT', 'Glucose')).toEqual([['Glucose', 'otherSpecimenSection']])
    expect(await under('OGTT', 'Glucose 2 h')).not.toEqual([['glucose', 91]])
    expect(await under('Glucagon stimulation', 'Fasting glucose')).toEqual([
      ['Fasting glucose', 'otherSpecimenSection'],
    ])
  })

  it.each([
    ['43304-5^Chlamydia trachomatis^LN', ['chlamydia', 'negative']],
    ['43305-2^Neisseria gonorrhoeae^LN', ['gonorrhoeae', 'negative']],
    ['CT^Chlamydia trachomatis^L', ['Chlamydia trachomatis', 'notANumber']],
    ['56888-1^HIV 1+2 Ag+Ab^LN', ['hiv_ag_ab', 'negative']],
    ['083936^HIV Ab/p24 Ag Screen^L', ['hiv_ag_ab', 'negative']],
    ['006510^HBsAg Screen^L', ['hbsag', 'negative']],
    ['X^Antibody screen^L', ['Antibody screen', 'notANumber']],
  ])('%s', async (name, found) => {
    expect(await message(request, `OBX|1|ST|${name}||Negative||||||F`)).toEqual([found])
  })
})

describe('a number of a message', () => {
  it.each([
    ["11'250", 11_250],
    ['11’105', 11_105],
    ['2,41,000', 241_000],
    ["241'000", 241_000],
    ['٢٤١٠٠٠', 241_000],
    ['۲۴۱۰۰۰٫۵', 241_000.5],
    ['२४१०००', 241_000],
    ['2.41E5', 241_000],
    ['2.4E5', 'notANumber'],
    ['24·1·3', 'notANumber'],
    ['1500+', 'notANumber'],
    ["24'1", 'uncertainNumber'],
  ])('%s is read if it has one meaning', async (text, found) => {
    const [[, value] = []] = await message('OBR|1|P1|F1', `OBX|1|NM|777-3^Platelets^LN||${text}|/uL|||||F`)
    expect(value).toBe(found)
  })

  it.each([
    ['CK^L||2.1|ukat/L', ['ck', 2.1]],
    ['LDH^L||3.1|microkat/L', ['ldh', 3.1]],
    ['CD4 absolute^L||612|cells/uL', ['cd4_abs', 612]],
    ['Creatinine^L||0·91|mg/dL', ['creatinine', 0.91]],
  ])('is in the unit of its laboratory: %s', async (row, found) => {
    expect(await message('OBR|1|P1|F1', `OBX|1|NM|X^${row}|||||F`)).toEqual([found])
  })
})

describe('in a table', () => {
  it.each([
    ['2.41E+02', 241],
    ['2.41E2', 241],
    ['2,41E+02', 241],
    ['2E+02', 'notANumber'],
    ['2.4E+02', 'notANumber'],
  ])('a number as spreadsheets write it: %s', async (text, found) => {
    const [[, value] = []] = await table('Test;Result;Unit;Range', `Platelets;${text};10*3/uL;150-400`)
    expect(value).toBe(found)
    const [[, alone] = []] = await table('Test;Result;Unit', `Platelets;${text};10*3/uL`)
    expect(typeof alone).toBe('string')
  })

  it.each([
    ['Natrium;139;mmol/l;Endelig', 139],
    ['Natrium;139;mmol/l;Foreløpig', 139],
    ['Natrium;139;mmol/l;Slutgiltig', 139],
    ['Natrium;139;mmol/l;Lopullinen', 139],
    ['Natrium;139;mmol/l;Kladd', 'unknownStatus'],
  ])('a status of another country: %s', async (row, found) => {
    const [[, value] = []] = await table('Test;Result;Unit;Status', row)
    expect(value).toBe(found)
  })

  it('Finnish headings, and systems before short names', async () => {
    const rows = ['S-Na;139;mmol/l;137 - 145', 'P-K;4,1;mmol/l;3,3 - 4,9', 'U-Na;101;mmol/l;', 'fP-Kol;4,9;mmol/l;']
    expect(await table('Tutkimus;Tulos;Yksikkö;Viitearvot', ...rows)).toEqual([
      ['sodium', 139],
      ['potassium', 4.1],
      ['sodium_urine', 101],
      ['total_cholesterol', 4.9],
    ])
  })

  it.each([
    [
      'Vyšetření;Výsledek;Jednotka;Materiál',
      [
        ['sodium', 141],
        ['Sodík', 'otherSpecimen'],
      ],
    ],
    [
      'Analys;Resultat;Enhet;Provmaterial',
      [
        ['sodium', 141],
        ['Sodík', 'otherSpecimen'],
      ],
    ],
    [
      'Test;Result;Unit;Material',
      [
        ['Sodík', 'unknownSpecimen'],
        ['Sodík', 'unknownSpecimen'],
      ],
    ],
  ])('letters of materials where a country has one for each: %s', async (heading, found) => {
    expect((await table(heading, 'Sodík;141;mmol/l;S', 'Sodík;61;mmol/l;CSF'))[0]).toEqual(found[0])
  })

  it('an allergen beside its class of antibody, of which IgG4 is none of allergy', async () => {
    const rows = ['Peanut,IgE,0.14,kU/L', 'Egg white,IgG4,6.2,ug/mL', 'Hazelnut,,2.1,kU/L']
    expect(await table('Allergen,Class of antibody,Result,Unit', ...rows)).toEqual([
      ['ige_peanut', 0.14],
      ['Egg white', 'unknownName'],
      ['Hazelnut', 'unknownName'],
    ])
  })

  it('metals of workers, by what they were measured in', async () => {
    const rows = ['Piombo;Sangue;3,1;µg/dL', 'Cadmio;Sangue;0,4;µg/L', 'Piombo;Urine;12;µg/L', 'Piombo;;3,1;µg/dL']
    expect(await table('Esame;Matrice;Risultato;Unità', ...rows)).toMatchObject([
      ['lead_blood', 3.1],
      ['cadmium_blood', 0.4],
      ['Piombo', expect.any(String)],
      ['Piombo', 'unknownName'],
    ])
    expect(await table('Analyse;Ergebnis;Einheit', 'Transglutaminase-IgA;1,8;U/ml')).toEqual([['ttg_iga', 1.8]])
  })

  it('a note beside one value of a row of several is about that value', async () => {
    const heading = 'Kit,CRP mg/L,CRP note,Vitamin D ng/mL,Vitamin D note'
    expect(await table(heading, 'RX-4471,0.9,,14,Spot under-filled; value unreliable')).toEqual([
      ['crp', 0.9],
      ['Vitamin D', 'annulled'],
    ])
    expect(await table(heading, 'RX-4471,0.9,,14,The tube bears the name of another patient')).toEqual([
      ['CRP', expect.stringMatching(/annulled|unknownRemark/)],
      ['Vitamin D', expect.stringMatching(/annulled|unknownRemark/)],
    ])
    const alone = await table(heading, 'RX-4471,0.9,,,Spot under-filled')
    expect(alone.map(([name]) => name)).toContain('Vitamin D note')
  })

  it('values in conventional units beside those of the SI are each one value', async () => {
    expect(await table('Test,Conventional,Unit,SI value,SI unit', 'Glucose,92,mg/dL,5.1,mmol/L')).toEqual([
      ['glucose', 92],
    ])
    await expect(table('Test,Conventional,SI,Unit', 'Glucose,92,5.1,mmol/L')).rejects.toThrow()
  })

  it('a row of the patient is theirs where the column says of whom each is, and no other is', async () => {
    const rows = ['Patient,Potassium,5.1,mmol/L', 'Donor,ALT,22,U/L', "Patient's mother,Sodium,139,mmol/L"]
    const [own, ...others] = await table('Relation,Test,Result,Unit', ...rows)
    expect(own).toEqual(['potassium', 5.1])
    expect(others.every(([, code]) => typeof code === 'string')).toBe(true)
  })

  it('titles of samples in Italian, and micrograms in a gram of stool', async () => {
    const rows = ['ESAMI SU URINE;;', 'Creatinina;91;mg/dL', 'ESAMI SU FECI;;', 'Calprotectina;41;µg/g']
    expect(await table('Esame;Risultato;Unità', ...rows)).toEqual([
      ['creatinine_urine', 91],
      ['calprotectin', 41],
    ])
    expect(await table('Test,Result,Unit', 'Stool,,', 'Calprotectin,41,mg/kg')).toEqual([['calprotectin', 41]])
  })

  it.each([
    ['mg/g', ['albumin_creatinine_urine', 12]],
    ['mg/g{creat}', ['albumin_creatinine_urine', 12]],
    ['mg/g Krea', ['albumin_creatinine_urine', 12]],
    ['ug/mg creat', ['albumin_creatinine_urine', 12]],
    ['mg/mmol creatinine', ['albumin_creatinine_urine', 12]],
    ['mg/L', ['Albumin/Creatinine Ratio', 'unknownUnit']],
  ])('a quotient of albumin in %s', async (unit, found) => {
    expect(await table('Test,Result,Unit', `Albumin/Creatinine Ratio,12,${unit}`)).toEqual([found])
  })
})

describe('on a page', () => {
  const page = async (head: string, ...rows: string[][]) => {
    const lines = rows.map((cells) => cells.map((text, at): [number, string] => [36 + at * 100, text]))
    const top: [number, string][][] = [[[36, head]], [[36, 'Name: Robin Example']], [[36, 'Collected: 2026-03-11']], []]
    return becameOf(await makePdf([{ lines: [...top, ...lines] }]))
  }

  it('goals of the sender and averages of an age are no results', async () => {
    const heading = ['Biomarker', 'Your result', 'Unit', 'Our goal', 'Average at your age']
    expect(await page('CHECK-UP', heading, ['LDL cholesterol', '108', 'mg/dL', '70', '131'])).toEqual([['ldl', 108]])
  })

  it('allergens below a title of IgE, and of no other class', async () => {
    const rows = (title: string) => [
      [title, 'Résultat', 'Unité', 'Classe'],
      ['Arachide', '0,14', 'kUA/L', '0'],
      ['Noisette', '2,10', 'kUA/L', '2'],
    ]
    expect(await page('LABORATOIRE', ...rows('IgE spécifiques'))).toEqual([
      ['ige_peanut', 0.14],
      ['ige_hazelnut', 2.1],
    ])
    expect(await page('LABORATOIRE', ...rows('IgE et IgG4'))).toEqual([
      ['Arachide', 'unknownName'],
      ['Noisette', 'unknownName'],
    ])
  })

  it('answers above a legend of their words', async () => {
    const rows = [
      ['Test', '', 'Result', 'Interpretation limits'],
      ['HIV 1/2 Ag/Ab', '', 'Non-reactive', 'S/CO < 1.00'],
      ['Hepatitis C antibody', '', 'Negative / négatif', 'S/CO < 1.00'],
      [],
      ['Legend: Non-reactive = no marker found. Reactive = marker found.'],
    ]
    expect(await page('SEROLOGY', ...rows)).toEqual([
      ['hiv_ag_ab', 'negative'],
      ['hepatitis_c_antibody', 'negative'],
    ])
  })

  it('the unit above the names of a section is that of its rows which print none', async () => {
    const rows = [
      ['Electrolytes (mmol/L)', 'Result', 'Reference'],
      ['Sodium', '140', '137 - 145'],
      ['Glucose', '92', '70 - 99 mg/dL'],
      ['ALT', '24', '7 - 45'],
      ['Enzymes (U/L)', 'Result', 'Reference'],
      ['AST', '21', '< 40'],
    ]
    expect(await page('CHECK-UP', ...rows)).toEqual([
      ['sodium', 140],
      ['glucose', 92],
      ['ast', 21],
      ['ALT', 'unknownUnit'],
    ])
  })

  it('a second sample is of the specimen that stands above its table', async () => {
    const heading = ['Analyse', 'Resultat', 'Enhet', 'Referanseområde']
    const rows = [
      ['Prøve 1', 'Materiale: Serum'],
      heading,
      ['Ferritin', '63', 'µg/L', '15 - 150'],
      ['Prøve 2', 'Materiale: Urin'],
      heading,
      ['Albumin', '6', 'mg/L', '< 20'],
    ]
    expect(await page('Laboratorium', ...rows)).toEqual([
      ['ferritin', 63],
      ['albumin_urine', 6],
    ])
  })

  it('the laboratory of a maternity ward tests whom it names, and a test of maternity somebody else', async () => {
    const rows = [
      ['Test', 'Result', 'Units', 'Reference range'],
      ['Sodium', '139', 'mmol/L', '136 - 145'],
    ]
    expect(await page('MATERNITY LABORATORY', ...rows)).toEqual([['sodium', 139]])
    expect(await page('MATERNITY TESTING', ...rows)).toEqual([['Sodium', 'notOwn']])
  })
})

describe('in the language of its laboratory', () => {
  const heads = 'Test;Result;Unit'
  it.each([
    ['Russian', 'Креатинин;71;umol/L', 'creatinine'],
    ['Russian', 'Мочевая кислота;291;umol/L', 'uric_acid'],
    ['Russian', 'Железо в сыворотке;14;umol/L', 'iron'],
    ['Ukrainian', 'Холестерин загальний;4.8;mmol/L', 'total_cholesterol'],
    ['Bulgarian', 'Пикочна киселина;291;umol/L', 'uric_acid'],
    ['Croatian', 'Željezo;14;umol/L', 'iron'],
    ['Serbian', 'Gvožđe;14;umol/L', 'iron'],
    ['Slovene', 'Sečnina;5.2;mmol/L', 'urea'],
    ['Romanian', 'Sideremie;91;ug/dL', 'iron'],
    ['Hungarian', 'Vérlemezke;241;10^9/L', 'platelets'],
    ['Greek', 'ΛΕΥΚΩΜΑΤΙΝΗ;4.3;g/dL', 'albumin'],
    ['Estonian', 'S,P-K;4.1;mmol/L', 'potassium'],
    ['Estonian', 'S,P-TSH;1.8;mU/L', 'tsh'],
    ['Latvian', 'Urīnviela;5.2;mmol/L', 'urea'],
    ['Lithuanian', 'Šlapimo rūgštis;291;umol/L', 'uric_acid'],
    ['Finnish', 'P-Alat;19;U/L', 'alt'],
    ['Icelandic', 'Blóðflögur;241;10^9/L', 'platelets'],
    ['Norwegian', 'Transferrinmetning;27;%', 'transferrin_saturation'],
    ['Danish', 'Basisk phosphatase;71;U/L', 'alp'],
    ['Danish', 'Urinsyre;291;umol/L', 'uric_acid'],
    ['Swedish', 'B-LPK;6.1;10^9/L', 'wbc'],
    ['Dutch', 'Vrij T4;15;pmol/L', 'free_t4'],
    ['Polish', 'Wysycenie transferyny;27;%', 'transferrin_saturation'],
    ['Czech', 'Hořčík;0.84;mmol/L', 'magnesium'],
    ['Slovak', 'Bielkoviny celkové;71;g/L', 'total_protein'],
    ['Turkish', 'Serbest T4;1.2;ng/dL', 'free_t4'],
    ['Portuguese', 'Índice de saturação da transferrina;27;%', 'transferrin_saturation'],
    ['Catalan', 'Àcid úric;5.1;mg/dL', 'uric_acid'],
    ['Vietnamese', 'Bạch cầu;6.1;10^9/L', 'wbc'],
    ['Indonesian', 'Asam urat;5.1;mg/dL', 'uric_acid'],
    ['simplified Chinese', '白细胞计数;6.12;10^9/L', 'wbc'],
    ['traditional Chinese', '三酸甘油酯;120;mg/dL', 'triglycerides'],
    ['Japanese', '総蛋白;7.1;g/dL', 'total_protein'],
    ['Korean', '요산;5.1;mg/dL', 'uric_acid'],
    ['Arabic', 'حمض اليوريك;5.1;mg/dL', 'uric_acid'],
    ['Hebrew', 'אשלגן;4.1;mmol/L', 'potassium'],
    ['Romanian', 'Limfocite %;31;%', 'lymphocytes_pct'],
    ['Hungarian', 'Neutrofil;3.9;10^9/L', 'neutrophils_abs'],
  ])('%s names mean their test: %s', async (_, row, biomarker) => {
    expect(await table(heads, row)).toMatchObject([[biomarker, Number(row.split(';')[1])]])
  })

  it.each([
    'Глюкоза в моче;5.1;mmol/L',
    'Кальций (слюна);2.4;mmol/L',
    'Šlapimo kalis;4.1;mmol/L',
    'Szabad kalcium, vizelet;2.4;mmol/L',
    'Βιταμίνη;31;ng/mL',
    'Глобулин;31;g/L',
    '尿钾;4.1;mmol/L',
    '소변 칼륨;4.1;mmol/L',
  ])('another material, or a name of several tests, waits: %s', async (row) => {
    const [found] = await table(heads, row)
    expect(typeof found?.[1]).toBe('string')
  })
})

describe('two names in two languages', () => {
  it.each([
    ['Hemoglobine / Hémoglobine;13.3;g/dL', ['hemoglobin', 13.3]],
    ['Kreatinin/Creatinine;71;umol/L', ['creatinine', 71]],
    ['Eisen / Fer / Ferro;14;umol/L', ['iron', 14]],
  ])('of one test are read: %s', async (row, found) => {
    expect(await table('Test;Result;Unit', row)).toEqual([found])
  })

  it.each(['Albumine / Créatinine;13.3;g/dL', 'Kalium / Natrium;4.1;mmol/L', 'Glucose / Glucose (urine);5.1;mmol/L'])(
    'of two tests wait: %s',
    async (row) => {
      const [found] = await table('Test;Result;Unit', row)
      expect(typeof found?.[1]).toBe('string')
    },
  )
})

describe('under headings of its language', () => {
  it.each([
    'Показатель;Результат;Ед. изм.;Референсные значения',
    'Показник;Результат;Одиниці;Референс',
    'Изследване;Резултат;Мерни единици;Референтни стойности',
    'Pretraga;Rezultat;Jedinica;Referentni interval',
    'Preiskava;Rezultat;Enota;Referenčne vrednosti',
    'Analiza;Rezultat;UM;Interval biologic de referință',
    'Vizsgálat;Eredmény;Mértékegység;Referenciatartomány',
    'ΕΞΕΤΑΣΗ;ΑΠΟΤΕΛΕΣΜΑ;ΜΟΝΑΔΕΣ;ΤΙΜΕΣ ΑΝΑΦΟΡΑΣ',
    'Analüüs;Tulemus;Ühik;Referentsväärtus',
    'Rādītājs;Rezultāts;Mērvienība;References intervāls',
    'Tyrimas;Rezultatas;Vienetai;Norminės vertės',
    'Tutkimus;Tulos;Yksikkö;Viiterajat',
    'Rannsókn;Niðurstaða;Eining;Viðmiðunarmörk',
    'Undersøkelse;Svar;Enhet;Referanseområde',
    'Oznaczenie;Wynik;Jednostka;Wartości referencyjne',
    'Vyšetření;Hodnota;Jednotka;Referenční rozmezí',
    'Tahlil;Sonuç;Birimi;Referans aralığı',
    'Determinação;Resultado;Unidade;Valores de referência',
    'Prova;Resultat;Unitats;Valors de referència',
    'Xét nghiệm;Kết quả;Đơn vị;Khoảng tham chiếu',
    'Pemeriksaan;Hasil;Satuan;Nilai rujukan',
    '检验项目;结果;单位;参考区间',
    '檢驗項目;檢驗結果;單位;參考值',
    '검사항목;검사결과;단위;참고치',
    'اسم التحليل;النتيجة;الوحدة;القيم المرجعية',
    'שם בדיקה;תוצאה;יחידות;ערכי ייחוס',
    'Bepaling / Analyse;Resultaat / Résultat;Eenheid / Unité;Referentie / Référence',
  ])('a table is read: %s', async (heads) => {
    expect(await table(heads, 'Kreatinin;71;umol/L;44 - 80')).toMatchObject([['creatinine', expect.anything()]])
  })

  it.each([
    'Показатель;Предыдущий результат;Ед. изм.;Референсные значения',
    'Vizsgálat;Előző eredmény;Mértékegység;Referencia',
    'Εξέταση;Προηγούμενο αποτέλεσμα;Μονάδες;Τιμές αναφοράς',
    'Tutkimus;Edellinen tulos;Yksikkö;Viiteväli',
    'Pretraga;Ciljna vrijednost;Jedinica;Referentni interval',
    '检验项目;上次结果;单位;参考区间',
    'Oznaczenie;Wynik skorygowany;Jednostka;Norma',
    'Bepaling / Analyse;Resultaat / Antérieur;Eenheid / Unité;Referentie / Référence',
  ])('earlier values, goals and corrected ones are no results: %s', async (heads) => {
    const found = await table(heads, 'Kreatinin;71;umol/L;44 - 80').catch(() => [])
    expect(found.filter(([, value]) => typeof value === 'number')).toEqual([])
  })
})

describe('units, answers and days of its language', () => {
  it.each([
    ['Гемоглобин;132;г/л', 'hemoglobin'],
    ['Глюкоза;5,1;ммоль/л', 'glucose'],
    ['Креатинин;71;мкмоль/л', 'creatinine'],
    ['Ферритин;38;мкг/л', 'ferritin'],
    ['АЛТ;22;Ед/л', 'alt'],
    ['Лейкоцити;6,2;10^9/л', 'wbc'],
    ['Тромбоциты;241;тыс/мкл', 'platelets'],
    ['Эритроциты;4,41;млн/мкл', 'rbc'],
    ['ТТГ;2,1;мМЕ/л', 'tsh'],
    ['СОЭ;11;мм/ч', 'esr'],
    ['Süllyedés;11;mm/óra', 'esr'],
  ])('Cyrillic letters and other hours are units: %s', async (row, biomarker) => {
    expect(await table('Test;Result;Unit', row)).toEqual([[biomarker, Number(row.split(';')[1]?.replace(',', '.'))]])
  })

  it('one letter that is written for thousandths of units and for units alike waits', async () => {
    const [found] = await table('Test;Result;Unit', 'ТТГ;2,1;мЕ/л')
    expect(typeof found?.[1]).toBe('string')
  })

  it.each([
    ['не обнаружено', 'negative'],
    ['сумнівний', 'indeterminate'],
    ['pozitivan', 'positive'],
    ['αρνητικό', 'negative'],
    ['ei todettu', 'negative'],
    ['dương tính', 'positive'],
    ['阴性', 'negative'],
    ['양성', 'positive'],
  ])('an answer is read: %s', async (answer, value) => {
    expect(await table('Test;Result', `HBsAg;${answer}`)).toEqual([['hbsag', value]])
  })

  it.each([
    ['Mintavétel: 2026.03.11. 07:50', '2026-03-11'],
    ['Näyte otettu: 11.3.2026 klo 7.45', '2026-03-11'],
    ['Дата взятия биоматериала: 11.03.2026', '2026-03-11'],
    ['Data recoltării: 11.03.2026', '2026-03-11'],
    ['채혈일: 2026년 3월 11일', '2026-03-11'],
    ['采样时间: 2026年3月11日', '2026-03-11'],
  ])('the day of collection stands behind its label: %s', async (line, day) => {
    const { reports } = await parseBytes(Buffer.from(`${line}\n\nTest;Result;Unit\nKreatinin;71;umol/L\nALT;22;U/L`), {
      maxPages: 1,
    })
    expect(reports.map(({ collectedDate }) => collectedDate)).toEqual([day])
  })
})

describe('a title in its language', () => {
  it.each([
    'Предыдущие результаты',
    'Донор',
    'Контрольная сыворотка',
    'После нагрузки',
    'Попередні результати',
    'Prethodni nalaz',
    'Nakon opterećenja',
    'Rezultate anterioare',
    'După efort',
    'Előző eredmények',
    'Terhelés után',
    'Προηγούμενα αποτελέσματα',
    'Μετά από γεύμα',
    'Edelliset tulokset',
    'Luovuttaja',
    'Po obciążeniu',
    'Dárce',
    'Anne',
    'Hasil sebelumnya',
    'Setelah makan',
    '上次结果',
    '质控',
    '이전 결과',
    'Vizelet',
    'Моча',
    'Ούρα',
  ])(
    'of an earlier result, another person, control or material, or of a load, is of no result of blood: %s',
    async (title) => {
      const rows = ['Test;Result;Unit', 'ALT;22;U/L', `${title};;`, 'Kalium;4,1;mmol/L']
      expect(await table(...rows)).not.toContainEqual(['potassium', 4.1])
      const lines = [title].map((text) =>
        holdsOf({ page: 1, number: 1, y: 0, height: 0, text, cells: [{ text, x0: 0, x1: 9 }] }),
      )
      expect(lines.every((holds) => holds !== 'results') || isVetoed(title)).toBe(true)
    },
  )
})
