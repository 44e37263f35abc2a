import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, it } from 'vitest'
import { produce } from '../../packages/lab-reader/evaluate/fresh/producers.ts'

async function identified(bytes: Uint8Array) {
  const { reports } = await parseBytes(bytes, { maxPages: 2 })
  const all = reports.map((report) => identifyReport(report, biomarkers))
  return {
    became: all.flatMap(({ results }) => results.map(({ biomarkerId }) => biomarkerId)),
    waits: Object.fromEntries(all.flatMap(({ unmatched }) => unmatched.map(({ name, code }) => [name, code]))),
  }
}
const csv = (...lines: string[]) => identified(Buffer.from(lines.join('\n')))
const pdf = async (...lines: string[]) => identified(await produce('words', lines.join('\n')))
const hl7 = (specimen: string, obx: string, ...more: string[]) =>
  identified(
    Buffer.from(
      [
        'MSH|^~\\&|LIS|HARBOUR LAB|KITS|OPS|20260312104500||ORU^R01|1|P|2.5.1',
        'PID|1||1^^^LAB^MR||Example^Robin||19780914|F',
        `OBR|1|1|1|PNL^Panel^L|||20260311080000||||||||${specimen}|||||||20260312100000||CH|F`,
        obx,
        ...more,
      ].join('\r'),
    ),
  )
const fhir = (specimen: object, observation: object) =>
  identified(
    Buffer.from(
      JSON.stringify({
        resourceType: 'Bundle',
        type: 'collection',
        entry: [
          { resourceType: 'Patient', id: 'p', name: [{ family: 'Example' }] },
          { resourceType: 'Specimen', id: 's', subject: { reference: 'Patient/p' }, ...specimen },
          {
            ...{ resourceType: 'Observation', id: 'o', status: 'final', subject: { reference: 'Patient/p' } },
            ...{ effectiveDateTime: '2026-03-11', specimen: { reference: 'Specimen/s' } },
            ...observation,
          },
        ].map((resource) => ({ resource })),
      }),
    ),
  )
const page = (above: string, below = '') =>
  pdf(
    ...['HARBOUR LAB', 'Patient: Robin Example     DOB: 14 Sep 1978', above, ''],
    'Test                 Result     Units      Reference',
    'Estradiol            2.6        pg/mL      1.3 - 3.3',
    ...['Prolactin            12         ng/mL      3 - 25', below],
  )

describe('a hormone measured in saliva', () => {
  it.each([
    ['Sample,Matrix,Analyte,Value,Unit', 'S1,Saliva,Estradiol,2.6,pg/mL'],
    ['Sample,Type,Analyte,Value,Unit', 'S1,Saliva,Estradiol,2.6,pg/mL'],
    ['Sample type,Sample material,Analyte,Value,Unit', 'Serum,Saliva,Estradiol,2.6,pg/mL'],
    ['Probe;Material;Analyt;Ergebnis;Einheit', '1;Speichel;Estradiol;2,6;pg/ml'],
    ['Test,Result,Unit', 'Estradiol (spit),2.6,pg/mL'],
    ['Examen;Résultat;Unité', 'Estradiol salivaire;2,6;pg/ml'],
    ['Profil hormonal salivaire\nExamen;Résultat;Unité', 'Estradiol;2,6;pg/ml'],
  ])('is none of blood in a table, whichever column or title says so: %s', async (head, row) => {
    expect((await csv(head, row)).became).toEqual([])
  })

  it('is none of blood in a message, a bundle and on a page, where a sentence alone may say so', async () => {
    const estradiol = { code: { text: 'Estradiol' }, valueQuantity: { value: 2.6, unit: 'pg/mL' } }
    expect((await hl7('SAL', 'OBX|1|NM|E2^Estradiol^L||2.6|pg/mL|||||F')).became).toEqual([])
    expect((await fhir({ type: { text: 'Oral fluid' } }, estradiol)).became).toEqual([])
    expect((await page('Collected: 03 Mar 2026', 'All hormones were measured in saliva.')).became).toEqual([])
    expect((await page('Collected: 03 Mar 2026', 'Alle Hormone wurden im Speichel bestimmt.')).became).toEqual([])
    expect((await page('Collected: 03 Mar 2026', 'Results are measured in serum.')).became).toHaveLength(2)
  })
})

describe('one sample of several people', () => {
  it.each(['Pool', 'Pool ID', 'Pool size', 'Samples in pool', 'Pooled', 'Poolgröße', 'Members', 'Number of persons'])(
    'is nobody’s in a table with a column %s',
    async (heading) => {
      const read = await csv(`${heading},Test,Result`, '3,Chlamydia trachomatis NAAT,Detected')
      expect(read).toEqual({ became: [], waits: { 'Chlamydia trachomatis NAAT': 'notOwn' } })
    },
  )
  it.each([
    ...['Pool of 3 swabs', 'POOL-118', 'Pooled swab of three people', 'Mischprobe aus 3 Abstrichen', 'gepoolte Probe'],
    ...['Échantillon poolé', 'Muestra agrupada de tres personas'],
  ])('is nobody’s below a title, on a page and beside a note: %s', async (text) => {
    expect((await csv(text, 'Test,Result', 'Chlamydia trachomatis NAAT,Detected')).became).toEqual([])
    expect((await page(text)).became).toEqual([])
    const obx = 'OBX|1|ST|CT^Chlamydia trachomatis NAAT^L||Detected||Not detected||||F'
    expect((await hl7('', obx, `NTE|1|L|${text}`)).became).toEqual([])
  })
  it('is nobody’s in a bundle: by its parents, its processing or a note', async () => {
    const one = { code: { text: 'Chlamydia trachomatis NAAT' }, valueCodeableConcept: { text: 'Detected' } }
    const parents = ['x', 'y'].map((id) => ({ reference: `Specimen/${id}` }))
    expect((await fhir({ parent: parents }, one)).became).toEqual([])
    expect((await fhir({ processing: [{ description: 'Pooled with 2 other samples' }] }, one)).became).toEqual([])
    expect((await fhir({}, { ...one, note: [{ text: 'Tested in a pool of 5 samples.' }] })).became).toEqual([])
    expect((await fhir({ parent: parents.slice(1) }, one)).became).toEqual(['chlamydia'])
  })
  it('is not what a place or a pool of one is', async () => {
    expect((await page('Pool Road Clinic, Liverpool')).became).toHaveLength(2)
    expect((await csv('Pooled,Test,Result', 'no,Chlamydia trachomatis NAAT,Detected')).became).toEqual(['chlamydia'])
  })
})

describe('a unit of donated blood', () => {
  it.each([
    ...[
      'Poche n° 7726 004 118 X     Don du 02/03/2026',
      'Produit destiné à : Robin EXEMPLE',
      'Donation number: W0000 26 1',
    ],
    ...['Blood bag no. 7781', 'Konservennummer: 2200 118', 'Spendedatum: 02.03.2026', 'Bolsa nº 8812', 'Sacca n. 8812'],
  ])('is tested for its donor, so that nothing of it is the person’s: %s', async (line) => {
    expect((await page(line)).became).toEqual([])
  })
})

describe('a sentence with another number than its result', () => {
  const row = (comment: string) =>
    csv('Test;Result;Unit;Reference;Comment', `TSH;3.1;mIU/L;0.27 - 4.20;${comment}`, 'Free T4;14.8;pmol/L;11 - 22;')

  it.each(['A TSH of 31 mIU/L is in keeping with hypothyroidism.', 'TSH: 31 mIU/L, please see your doctor.'])(
    'makes it wait, in every format, and none beside it: %s',
    async (sentence) => {
      expect(await row(sentence)).toEqual({ became: ['free_t4'], waits: { TSH: 'contradicted' } })
      const noted = await hl7('', 'OBX|1|NM|TSH^TSH^L||3.1|mIU/L|0.27-4.2||||F', `NTE|1|L|${sentence}`)
      expect(noted.became).toEqual([])
      const tsh = { code: { text: 'TSH' }, valueQuantity: { value: 3.1, unit: 'mIU/L' }, note: [{ text: sentence }] }
      expect((await fhir({}, tsh)).became).toEqual([])
      expect(
        (
          await page(
            '',
            `   ${sentence.replace('TSH', 'prolactin').replace('TSH', 'Prolactin').replaceAll('31 mIU/L', '120 ng/mL')}`,
          )
        ).became,
      ).toEqual(['estradiol'])
    },
  )

  it.each([
    ...['Your ferritin of 8 ug/L is low and shows that your stores are empty.', 'Your ferritin (8 ug/L) is low.'],
    ...['Ihr Ferritin lag bei 8 ug/L.', 'Ferritin fue 8 ug/L.'],
  ])('makes it wait from a letter above or below its table, too: %s', async (sentence) => {
    const table = ['Test;Result;Unit;Reference', 'Ferritin;64;ug/L;13 - 150', 'CRP;1.4;mg/L;< 5.0']
    const read = { became: ['crp'], waits: { Ferritin: 'contradicted' } }
    expect(await csv(...table, sentence)).toMatchObject(read)
    expect(await csv(sentence, '', ...table)).toMatchObject(read)
  })

  it.each([
    ...['A TSH of 3.1 mIU/L is normal.', 'A TSH of 3 mIU/L is normal.', 'Previous TSH of 2.0 mIU/L in January.'],
    ...['A TSH of 10 mIU/L or more is treated.', 'TSH above 4.2 mIU/L: repeat in 6 weeks.'],
    ...['A TSH of 2.5 mIU/L is the upper limit in pregnancy.', 'A free T4 of 12 pmol/L is normal.'],
  ])('is not one of an earlier day, of a limit, of another test or rounded: %s', async (sentence) => {
    expect((await row(sentence)).waits.TSH).not.toBe('contradicted')
  })
})

describe('a sample taken after its report was issued', () => {
  it.each([
    ...[
      'Report issued: 12 Mar 2026',
      'Issued on: 12 Mar 2026',
      'Date of report: 12 Mar 2026',
      'Befunddatum: 12.03.2026',
    ],
    ...['Fecha de emisión: 13/03/2026', 'Data di emissione: 13/03/2026'],
  ])('waits on a page, whatever the day of the report is called: %s', async (line) => {
    expect((await page(`Collected: 30 Mar 2026     ${line}`)).waits).toEqual({
      Estradiol: 'impossibleTimes',
      Prolactin: 'impossibleTimes',
    })
  })
})

describe('two tables side by side in a spreadsheet', () => {
  const rows = ['Test;Result;Unit;;Test;Result;Unit', 'Glucose;5.0;mmol/L;;Ferritin;55;ug/L']

  it('are both read below the names of two panels, each below its own', async () => {
    expect((await csv('Chemistry;;;;Vitamins;;', ...rows)).became).toEqual(['glucose', 'ferritin'])
    expect((await csv('BIOKEMIJA;;;;VITAMINI;;', ...rows)).became).toEqual(['glucose', 'ferritin'])
    expect((await csv('Biochemistry;;;;Urine;;', ...rows)).became).toEqual(['glucose'])
  })

  it.each(['Robin;;;;Jonas;;', 'Mother;;;;Child;;', '2026-01-04;;;;2026-03-04;;'])(
    'wait below the names of people or days, and none is lost: %s',
    async (titles) => {
      expect(await csv(titles, ...rows)).toEqual({ became: [], waits: { 'Glucose / Ferritin': 'severalValues' } })
    },
  )
})
