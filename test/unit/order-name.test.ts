import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, it } from 'vitest'

async function read(text: string) {
  const { reports } = await parseBytes(Buffer.from(text), { maxPages: 1 })
  const all = reports.map((report) => identifyReport(report, biomarkers))
  return {
    values: all.flatMap(({ results }) => results.map(({ biomarkerId }) => biomarkerId)),
    waiting: all.flatMap(({ unmatched }) => unmatched.map(({ name, code }) => `${name} ${code}`)),
  }
}

const hl7 = (name: string, specimen = '') =>
  [
    'MSH|^~\\&|LIS|WESTLAB|CO|CO|20260301120000||ORU^R01^ORU_R01|77|P|2.5.1',
    'PID|1||W12||VALLE^NORA||19750606|F',
    `OBR|1|A1|F1|Q^${name}^L|||20260227070000||||||||${specimen}`,
    'OBX|1|NM|2951-2^Sodium^LN||141|mmol/L|136-145||||F',
  ].join('\r')

const fhir = (name: string) =>
  JSON.stringify({
    resourceType: 'Bundle',
    type: 'collection',
    entry: [
      { resource: { resourceType: 'Patient', id: 'p', name: [{ family: 'Valle', given: ['Nora'] }] } },
      {
        resource: {
          resourceType: 'DiagnosticReport',
          status: 'final',
          code: { text: name },
          subject: { reference: 'Patient/p' },
          result: [{ reference: 'Observation/o' }],
        },
      },
      {
        resource: {
          resourceType: 'Observation',
          id: 'o',
          status: 'final',
          code: { coding: [{ system: 'http://loinc.org', code: '2951-2', display: 'Sodium' }] },
          subject: { reference: 'Patient/p' },
          effectiveDateTime: '2026-02-27',
          valueQuantity: { value: 141, unit: 'mmol/L' },
        },
      },
    ],
  })

const csv = (head: string, row: string) => `Test,Result,Unit,${head}\nSodium,141,mmol/L,${row}\nALT,22,U/L,\n`

describe('the name of an order', () => {
  it.each([
    ...[
      'Nasal discharge chemistry',
      'Kemisk analys av koagel',
      'Ulostetutkimukset',
      'Spot idrarda mikroalbumin',
      'Schilddruesenpunktat',
      'Apheresis collection, bag 1',
      'Cell saver output',
      'Platelet rich plasma product',
    ],
    ...[
      'Chemistry after breakfast',
      'Labs post marathon',
      'Perfusate',
      'Organ bath',
      'Nipple secretion',
      'Burn blister',
    ],
    ...[
      'Knochenmark',
      'Leberpunktat',
      'Punctievochtonderzoek',
      'Schilddrüsenpunktat',
      'Chemie nach Belastung',
      'Biochimie du drain',
      'Química del drenaje',
      'Chimica del versamento',
    ],
    ...[
      'Биохимия после нагрузки',
      'Анализ крови донора',
      'Пунктат щитовидной железы',
      'Biochemia po obciążeniu',
      'Vér kémia, kontroll szérum',
      'Βιοχημικά μετά από γεύμα',
      'Biyokimya, 2 saat sonra',
      '负荷后生化',
      '산모 혈액',
    ],
    ...[
      'Creatinine clearance',
      'Three-site screen',
      'Substance of unknown use',
      'Post-exercise bloods',
      'Second tube',
      'Self-collected eluate',
      'Quadruple dose',
      'Hemograma pós-transfusional',
      'Pre-donation count',
      'Dialysis adequacy',
      'Bioquímica antes do almoço',
      'Labor nach Dialyse',
      'Donation serology',
      'Chemistry run, control',
      'Chemistry post marathon',
    ],
  ])('with a word that such names do not have makes its results wait: %s', async (name) => {
    for (const file of [hl7(name), fhir(name), csv('Panel', name)]) {
      const { values, waiting } = await read(file)
      expect(values).not.toContain('sodium')
      expect(waiting.join()).toContain('Sodium')
    }
  })

  it.each([
    ...['Ionogram', 'Schildklieronderzoek', 'PCR de ITS', 'PCR IST', 'Kidney and salts'],
    ...['Ferritin, added by telephone', 'Ferritin, telefonisch nachgefordert'],
    ...['Kemisk analys', 'Lead worker panel', 'Schilddruese und Haematologie', 'Coeliakie', 'Cøliakiscreening'],
    ...[
      'PCR infecciones de transmisión sexual',
      'Infecções de transmissão sexual',
      'Infezioni a trasmissione sessuale',
    ],
    ...['Lipidit ja HbA1c', 'Badania okresowe', 'Ołów we krwi', 'Hemograma pré-transfusional', 'Infecciosas'],
    ...['Infektionsserologie', 'Sérologie infectieuse', 'Esami infettivi'],
    ...[
      'COMPREHENSIVE METABOLIC PANEL W/EGFR',
      'BASIC METABOLIC PANEL',
      'HEPATIC FUNCTION PANEL',
      'RENAL FUNCTION PANEL',
    ],
    ...[
      'CBC (INCLUDES DIFF/PLT)',
      'CBC With Differential/Platelet',
      'LIPID PANEL, STANDARD',
      'Lipid Panel With LDL/HDL Ratio',
    ],
    ...[
      'CARDIO IQ(R) ADVANCED LIPID PANEL',
      'NMR LIPOPROFILE W/O GRAPH',
      'TSH W/REFLEX TO FT4',
      'Thyroid Panel With TSH',
    ],
    ...['HEMOGLOBIN A1c WITH eAG', 'IRON AND TOTAL IRON BINDING CAPACITY', 'Iron, TIBC and Ferritin Panel'],
    ...['TESTOSTERONE, FREE (DIALYSIS) AND TOTAL, MS', 'VITAMIN D,25-OH,TOTAL,IA', 'Vitamin B12 and Folate'],
    ...['CHLAMYDIA/N. GONORRHOEAE RNA, TMA, UROGENITAL', 'HIV 1/2 AG/AB,4TH GEN W/RFL', 'Hepatitis Be Antigen'],
    ...['Comprehensive metabolic 2000 panel - Serum or Plasma', 'CBC W Auto Differential panel - Blood'],
    ...['Lipid panel with direct LDL - Serum or Plasma', 'Electrolytes 1998 panel - Serum or Plasma'],
    ...[
      'Urea and electrolytes level',
      'Diagnostic studies report',
      'Liver function test',
      'Bone profile',
      'Full blood count',
    ],
    ...['Laboratory report', 'Blood chemistry', 'General health check', 'Well woman profile', "Men's Health Panel"],
    ...[
      'Biochimie cardiaque',
      'Gospodarka wapniowa',
      'Биохимия крови',
      'Общий анализ крови',
      'Біохімічний аналіз крові',
    ],
    ...[
      'Klinická biochemie',
      'Krevní obraz',
      'TAM KAN SAYIMI',
      'Karaciğer fonksiyon testleri',
      'Estudo de trombofilia',
    ],
    ...['Βιοχημικές εξετάσεις', 'Γενική αίματος', 'Kompletna krvna slika', 'Biohemija', 'Hemoleucogramă completă'],
    ...['Klinikai kémia', 'Májfunkció', 'Kliiniline keemia', 'Asins aina', 'Kraujo tyrimas', 'Kliininen kemia'],
    ...[
      'Kimia klinik',
      'Fungsi hati',
      'Hematologi lengkap',
      '血常规',
      '肝功能',
      '生化全套',
      '일반화학검사',
      '갑상선기능검사',
    ],
    ...[
      'Iron deficiency profile',
      'B12 deficiency screen',
      'Viral loads',
      'Periodic health check',
      'Occupational health profile',
      'Dipstick and sediment',
      'Quad screen',
      'Triple test, second trimester',
      'First trimester bloods',
      'Substance use monitoring',
      'Post-op bloods',
      'Pre-operative chemistry',
      'Post-operative electrolytes',
      'Food reaction profile',
      'Food intolerance panel',
      'STI NAAT panel, self-collected',
      'Fertility, home sampling',
      'Sexually transmitted infections',
    ],
    ...[
      'Chemistry run',
      'Clinical chemistry, accredited',
      'CT/NG/TV amplified panel',
      'Cardiometabolic',
      'CBC post partum',
    ],
    ...[
      'Arbeitsmedizin Metalle',
      'Métaux lourds',
      'Metales pesados',
      'Metalli pesanti',
      'Metais pesados',
      'Zware metalen',
    ],
    ...[
      'Hormonas basales (día 3)',
      'Prostaatmerkers',
      'Prostatamarker',
      'Bioquímica antes da diálise',
      'Labor vor Dialyse',
    ],
    ...['Bioquímica antes de la diálisis', 'Bilan avant dialyse', 'Esami prima della dialisi', 'Bloed voor dialyse'],
    ...['Female hormone panel', 'Advanced thyroid function', 'Essential vitamins', 'Energy and fatigue profile'],
    ...[
      'Heart health',
      'Sports performance ultimate',
      'Longevity panel',
      'Fertility check',
      'PCOS profile',
      'Menopause panel',
    ],
    ...[
      'Großes Blutbild',
      'Kleines Blutbild',
      'Klinische Chemie',
      'Leberwerte',
      'Schilddrüsenparameter',
      'Elektrolyte',
    ],
    ...['Lipidstatus', 'Gerinnung', 'Vorsorgeuntersuchung', 'Check-up 35', 'Eisenstoffwechsel', 'Vitamine', 'Hormone'],
    ...['Numération formule sanguine', 'Bilan lipidique', 'Ionogramme sanguin', 'Bilan hépatique', 'Bilan martial'],
    ...[
      'Biochimie sanguine',
      'Hématologie',
      'Bilan thyroïdien',
      'Bioquímica general',
      'Perfil lipídico',
      'Hemograma completo',
    ],
    ...[
      'Perfil hepático',
      'Hormonas tiroideas',
      'Química sanguínea',
      'Emocromo completo',
      'Profilo lipidico',
      'Elettroliti',
    ],
    ...[
      'Funzionalità epatica',
      'Ormoni tiroidei',
      'Volledig bloedbeeld',
      'Schildklierfunctie',
      'Leverfunctie',
      'Nierfunctie',
    ],
    ...[
      'Klinisk kemi',
      'Blodstatus',
      'Leverstatus',
      'Medisinsk biokjemi',
      'Morfologia krwi',
      'Biochemia',
      'Lipidogram',
    ],
  ])('that laboratories usually give holds nothing: %s', async (name) => {
    for (const file of [hl7(name), fhir(name), csv('Panel', name.replaceAll(',', ' '))])
      expect((await read(file)).values).toContain('sodium')
  })

  it.each(['Creatinine clearance', 'Urea clearance', 'Three-site screen', 'STI, 2 sites', 'Multi-site STI screen'])(
    'that speaks of a place or of urine, too, holds nothing of blood: %s',
    async (name) => {
      expect((await read(hl7(name, 'SER'))).values).toEqual(['sodium'])
      expect((await read(hl7(name))).values).toEqual([])
      expect((await read(hl7(name, 'UR'))).values).toEqual([])
    },
  )

  it('holds nothing by a word of the result itself', async () => {
    const named = hl7('Sodium, flame').replace('2951-2^Sodium^LN', '2951-2^Sodium flame^LN^^Sodium')
    expect((await read(named)).waiting.join()).not.toContain('unknownRemark')
  })
})

describe('a row of a spreadsheet', () => {
  it.each([
    ...[',wrong pt?', ',ask Dr Lee', 'Source,Sensor', 'Type,Training', 'Type,Linearity 3', 'Action,undo'],
    ...['Origin,wearable', 'Sample type,carryover', 'Validity,questionable', 'Quelle,Heimgerät', 'State,on hold'],
  ])('waits for what stands under no heading, or says where it comes from in other words: %s', async (cells) => {
    const [head = '', cell = ''] = cells.split(',')
    const { values } = await read(csv(head, cell))
    expect(values).toEqual(['alt'])
  })

  it.each([
    ...[
      ',H',
      ',*',
      ',-',
      ',1',
      'Source,Lab',
      'Source,Hospital',
      'Type,Patient',
      'Type,Serum',
      'Type,Numeric',
      'State,final',
    ],
    ...['State,validated', 'Validity,OK', 'Quelle,Labor', 'Origin,Main lab'],
  ])('is read beside what says nothing of its value: %s', async (cells) => {
    const [head = '', cell = ''] = cells.split(',')
    expect((await read(csv(head, cell))).values).toEqual(['sodium', 'alt'])
  })
})
