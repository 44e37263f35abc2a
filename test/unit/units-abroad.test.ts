import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, it } from 'vitest'

const head = [
  'MSH|^~\\&|LIS|WESTLAB|CO|CO|20260301120000||ORU^R01^ORU_R01|77|P|2.5.1',
  'PID|1||W12^^^WL^MR||VALLE^NORA||19750606|F',
  'OBR|1|A1|F1|24323-8^Panel^LN|||20260227070000|||||||||||||||20260301110000|||F',
]

/** What one value of a message is read as, or why it waits. */
async function outcome(name: string, value: string, unit: string) {
  const message = [...head, `OBX|1|NM|X^${name}^L||${value}|${unit}|||||F`].join('\r')
  const { reports } = await parseBytes(Buffer.from(message), { maxPages: 1 })
  return summary(reports.map((report) => identifyReport(report, biomarkers)))
}
const summary = (all: ReturnType<typeof identifyReport>[]) =>
  all.flatMap(({ results, unmatched, converted }) => [
    ...results.map((one) => [one.biomarkerId, converted[0]?.factor ?? 1]),
    ...unmatched.map(({ code }) => [code]),
  ])[0]

describe('a unit of another country', () => {
  it.each([
    ['WBC', '6.5', 'G/l', 'wbc', 1],
    ['Platelets', '250', 'G/L', 'platelets', 1],
    ['RBC', '4.7', 'T/l', 'rbc', 1],
    ['WBC', '6.5', 'x1000/uL', 'wbc', 1],
    ['Glucose', '1.05', 'g/L', 'glucose', 100],
    ['Total cholesterol', '1.98', 'g/l', 'total_cholesterol', 100],
    ['HDL', '0.55', 'g/L', 'hdl', 100],
    ['LDL', '1.1', 'g/L', 'ldl', 100],
    ['Triglycerides', '0.9', 'g/L', 'triglycerides', 100],
    ['Urea', '0.32', 'g/L', 'urea', 100],
    ['Iron', '1.1', 'mg/L', 'iron', 100],
    ['Transferrin', '2.6', 'g/L', 'transferrin', 100],
    ['IgA', '2.1', 'g/L', 'iga', 100],
    ['IgE', '212', 'kU/L', 'ige_total', 1],
    ['eGFR', '88', 'ml/min/1,73m2', 'egfr', 1],
    ['Creatinine', '8.5', 'mg/L', 'creatinine', 0.1],
    ['MCHC', '20.5', 'mmol/L', 'mchc', 1.6114],
    ['MCH', '1.85', 'fmol', 'mch', 16.114],
    ['Neutrophils %', '0.55', '1', 'neutrophils_pct', 100],
    ['Lymphocytes %', '0.3', '{fraction}', 'lymphocytes_pct', 100],
  ])('is read where the value fits it: %s %s %s', async (name, value, unit, biomarker, factor) => {
    expect(await outcome(name, value, unit)).toEqual([biomarker, factor])
  })

  it.each([
    ['WBC', '6.5', 'g/l'],
    ['RBC', '4.7', 't/l'],
    ['Glucose', '95', 'g/L'],
    ['Total cholesterol', '198', 'g/L'],
    ['Urea', '32', 'g/L'],
    ['Iron', '110', 'mg/L'],
    ['Transferrin', '260', 'g/L'],
    ['MCHC', '33', 'mmol/L'],
    ['MCH', '29', 'fmol'],
    ['Neutrophils %', '55', '1'],
    ['Basophils %', '0.5', '1'],
  ])('waits where the value is one of another unit: %s %s %s', async (name, value, unit) => {
    expect(await outcome(name, value, unit)).toEqual([expect.stringMatching(/implausible|unknownUnit|otherScale/)])
  })

  it('is read in FHIR where the text is G/L and the code 10*9/L', async () => {
    const quantity = { value: 6.5, unit: 'G/L', system: 'http://unitsofmeasure.org', code: '10*9/L' }
    const resource = { resourceType: 'Observation', status: 'final', code: { text: 'WBC' }, valueQuantity: quantity }
    const { reports } = await parseBytes(Buffer.from(JSON.stringify(resource)), { maxPages: 1 })
    expect(summary(reports.map((report) => identifyReport(report, biomarkers)))).toEqual(['wbc', 1])
  })

  it('is grams of albumin where all letters are large', async () => {
    expect((await outcome('Albumin', '44', 'G/L'))?.[0]).toBe('albumin')
  })
})
