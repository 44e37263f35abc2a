import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, it } from 'vitest'

/** What becomes of one result of a message, whose request names the specimen: biomarker and value, or why it waits. */
async function becomes(specimen: string, name: string, value: string, unit = ''): Promise<string | undefined> {
  const text = [
    'MSH|^~\\&|LIS|WESTLAB|CO|CO|20260301120000||ORU^R01^ORU_R01|77|P|2.5.1',
    'PID|1||W12||VALLE^NORA||19750606|F',
    `OBR|1|A1|F1|Q^Profile^L|||20260227070000||||||||${specimen}`,
    `OBX|1|${/^[<>\d.]+$/.test(value) ? 'NM' : 'ST'}|Q^${name}^L||${value}|${unit}|||||F`,
  ].join('\r')
  const { reports } = await parseBytes(Buffer.from(text), { maxPages: 1 })
  const [one] = reports.flatMap((report) => {
    const { results, unmatched } = identifyReport(report, biomarkers)
    return [
      ...results.map((one) => `${one.biomarkerId} ${'value' in one ? one.value : one.finding.value}`),
      ...unmatched.map(({ code }) => code),
    ]
  })
  return one
}
const isRead = (found: string | undefined) => /^[a-z_0-9]+ \S/.test(found ?? '')

describe('an answer of stool', () => {
  it.each([
    ['H. pylori antigen', 'h_pylori_stool'],
    ['Helicobacter pylori Ag', 'h_pylori_stool'],
    ['Occult blood, immunochemical', 'occult_blood'],
    ['Occult blood, immunochemical, stool', 'occult_blood'],
    ['Faecal immunochemical test (FIT)', 'occult_blood'],
    ['Fecal occult blood (FIT)', 'occult_blood'],
    ['iFOBT', 'occult_blood'],
    ['F -Hemoglobiini (iFOBT)', 'occult_blood'],
    ['F-Helikobakteeriantigeeni', 'h_pylori_stool'],
  ])('is known by its name and its specimen: %s', async (name, biomarker) => {
    expect(await becomes('STL', name, 'Negative')).toBe(`${biomarker} negative`)
  })

  it.each([
    ['SER', 'H. pylori antigen'],
    ['', 'H. pylori antigen'],
    ['', 'F-Helikobakteeriantigeeni'],
    ['STL', 'P-Hemoglobiini (iFOBT)'],
    ['STL', 'F-Hemoglobiini'],
    ['STL', 'H. pylori antibody'],
    ['STL', 'Fecal fat'],
    ['UR', 'Occult blood, immunochemical, stool'],
  ])('waits in %s under another name or of another specimen: %s', async (specimen, name) => {
    expect(isRead(await becomes(specimen, name, 'Negative'))).toBe(false)
  })
})

describe('a result of urine', () => {
  it.each([
    ['U-Albumin', '7', 'mg/L', 'albumin_urine 7'],
    ['Glucose (urina)', 'Negativo', '', 'glucose_strip negative'],
    ['Nitrit (idrar)', 'Negatif', '', 'nitrite_strip negative'],
    ['Kreatinin, İdrar', '98', 'mg/dL', 'creatinine_urine 98'],
    ['Nitrite in urine by test strip', 'Negative', '', 'nitrite_strip negative'],
    ['Leukocyte esterase, urine dipstick', 'Negative', '', 'leukocytes_strip negative'],
    ['pH, urine dipstick', '6.5', '', 'ph_urine 6.5'],
    ['Nitrite, urine test strip', 'Negative', '', 'nitrite_strip negative'],
    ['Ketones (urine strip)', 'Negative', '', 'ketones_strip negative'],
    ['Urine glucose', 'Negative', '', 'glucose_strip negative'],
    ['Urine glucose', '0.4', 'mmol/L', 'glucose_urine 0.4'],
    ['Urine leucocytes', 'Negative', '', 'leukocytes_strip negative'],
    ['Urin-Glukose', 'negativ', '', 'glucose_strip negative'],
    ['WBC, urine sediment', '12', '/HPF', 'leukocytes_hpf 12'],
    ['RBC, urine sediment', '3', '/hpf', 'erythrocytes_hpf 3'],
  ])('is known by a name that says a strip or the sediment: %s %s %s', async (name, value, unit, found) => {
    expect(await becomes('UR', name, value, unit)).toBe(found)
  })

  it.each([
    ['SER', 'U-Albumin', '7', 'mg/L'],
    ['UR', 'WBC, urine sediment', '12', '/LPF'],
    ['SER', 'WBC', '12', '/HPF'],
    ['', 'dU-Albumin', '7', 'mg/L'],
    ['UR', 'U-Albumin 24 h', '7', 'mg/L'],
    ['UR', 'Urine glucose, 2 hours after 75 g', '7', 'mmol/L'],
    ['UR', 'pH, urine strip, after acid load', '6.5', ''],
  ])('waits where the specimen, the unit or a time says something else: %s %s %s %s', async (...sent) => {
    expect(isRead(await becomes(...sent))).toBe(false)
  })

  it('that Nordic laboratories mark with the letter U alone waits', async () => {
    expect(isRead(await becomes('', 'U-Albumin', '7', 'mg/L'))).toBe(false)
    expect(isRead(await becomes('', 'U-Natrium', '88', 'mmol/L'))).toBe(false)
    expect(await becomes('UR', 'U-Natrium', '88', 'mmol/L')).toBe('sodium_urine 88')
  })
})

describe('antibodies against hepatitis B', () => {
  it.each(['Hepatitis B surface antibody', 'HBsAb', 'Anti-HBs', 'Hepatitis B Surface Ab', 'HBs antibody'])(
    'are a number where one is sent: %s',
    async (name) => {
      const found = await becomes('SER', name, '312', 'mIU/mL')
      expect(found === undefined || !isRead(found) || found === 'hbsab_quant 312').toBe(true)
      expect(await becomes('SER', 'Hepatitis B surface antibody', '312', 'mIU/mL')).toBe('hbsab_quant 312')
    },
  )

  it.each([
    ['Hepatitis B surface antibody', '4.3', 'S/CO'],
    ['Hepatitis B surface antibody', '312', ''],
    ['Hepatitis B core antibody, total', '0.2', 'mIU/mL'],
    ['Hepatitis B surface antigen', '312', 'mIU/mL'],
  ])('wait as an index, without a unit and of another kind: %s %s %s', async (name, value, unit) => {
    expect(isRead(await becomes('SER', name, value, unit))).toBe(false)
  })
})

describe('DNA of papillomaviruses', () => {
  it.each([
    'HPV high-risk DNA',
    'High-risk HPV DNA',
    'HPV DNA, high risk, PCR',
    'hrHPV DNA',
    'Human papillomavirus DNA, high risk',
  ])('is known by its name: %s', async (name) => {
    expect(await becomes('VAG', name, 'Not detected')).toBe('hpv negative')
  })

  it.each([
    'HPV 16 DNA',
    'HPV other high-risk types',
    'HPV low-risk DNA',
    'HPV, high risk',
    'HPV E6/E7 mRNA',
    'HPV vaccine',
  ])('waits of some types alone: %s', async (name) => {
    expect(isRead(await becomes('VAG', name, 'Not detected'))).toBe(false)
  })
})

describe('an allergen', () => {
  it.each([
    ['IgE cacahuete', 'ige_peanut'],
    ['IgE específica frente a cacahuete', 'ige_peanut'],
    ['IgE epitelio de gato', 'ige_cat_dander'],
    ['Erdnuss-IgE', 'ige_peanut'],
    ['Spezifisches IgE Birke', 'ige_silver_birch'],
    ['IgE spécifique noisette', 'ige_hazelnut'],
    ['IgE bétula', 'ige_silver_birch'],
    ['IgE specifiche arachide', 'ige_peanut'],
    ['Jordnøtt (f13) IgE', 'ige_peanut'],
    ['Jordnød IgE', 'ige_peanut'],
    ['Bjørk (t3) IgE', 'ige_silver_birch'],
  ])('is known by its name beside IgE, in other languages: %s', async (name, biomarker) => {
    expect(await becomes('SER', name, '3.21', 'kU/L')).toBe(`${biomarker} 3.21`)
  })

  it.each([
    ['IgG4 cacahuete', 'kU/L'],
    ['cacahuete', 'kU/L'],
    ['IgE Weizen', 'kU/L'],
    ['IgE Nuss', 'kU/L'],
    ['IgE nuez', 'kU/L'],
    ['IgE polen de olivo', 'kU/L'],
    ['IgE Ara h 2 (cacahuete)', 'kU/L'],
    ['IgE cacahuete (t3)', 'kU/L'],
    ['IgE cacahuete', ''],
    ['IgE cacahuete, clase', ''],
  ])('waits of another class, as a class, by a name of several and with another code: %s %s', async (name, unit) => {
    expect(isRead(await becomes('SER', name, '3', unit))).toBe(false)
  })
})

describe('a swab of nose and throat', () => {
  it.each([
    'Swab de nasofaringe',
    'Hisopado de nasofaringe',
    'Tampone rinofaringeo',
    'Nasen-Rachen-Abstrich',
    'Wymaz z nosogardła',
    'Écouvillonnage nasopharyngé',
  ])('is known in other languages: %s', async (specimen) => {
    expect(await becomes(specimen, 'SARS-CoV-2 RNA, RT-PCR', 'Not detected')).toBe('sars_cov_2_rna negative')
    expect(isRead(await becomes(specimen, 'HBsAg', 'Negative'))).toBe(false)
    expect(isRead(await becomes(specimen, 'Potassium', '4.1', 'mmol/L'))).toBe(false)
  })
})

describe('an infection of a genital swab', () => {
  it.each([
    ['Chlamydia trachomatis', 'chlamydia'],
    ['Neisseria gonorrhoeae', 'gonorrhoeae'],
  ])('is known by its name and its specimen, and in blood it waits: %s', async (name, biomarker) => {
    expect(await becomes('VAG', name, 'Not detected')).toBe(`${biomarker} negative`)
    expect(await becomes('SER', name, 'Not detected')).toBe('notANumber')
    expect(await becomes('VAG', `${name} culture`, 'Not detected')).not.toBe(`${biomarker} negative`)
  })
})

describe('a column that is called as a specimen and holds days', () => {
  const table = (...days: string[]) =>
    parseBytes(
      Buffer.from(['Prélèvement;Analyse;Résultat;Unité', ...days.map((day) => `${day};Sodium;140;mmol/L`)].join('\n')),
      { maxPages: 1 },
    )

  it.each(['30/03/2026', '2026-03-30', '30/03/2026 08:15'])('is of the day of collection: %s', async (day) => {
    const { reports } = await table(day)
    expect(reports[0]?.collectedDate).toBe('2026-03-30')
    expect(reports[0]?.observations[0]?.specimen).toBeUndefined()
  })

  it('is of specimens where one cell is no day', async () => {
    const { reports } = await table('30/03/2026', 'Sérum')
    expect(reports.every(({ collectedDate }) => collectedDate === undefined)).toBe(true)
  })
})
