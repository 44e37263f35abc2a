import { annuls } from '@kitlane/lab-reader/parse/annulling'
import { interferentsIn, interferentsOfIndex } from '@kitlane/lab-reader/parse/interference'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { describe, expect, it } from 'vitest'

describe('words on what was in the sample', () => {
  it.each([
    ['Specimen grossly hemolyzed', ['HEMOLYSIS']],
    ['Probe stark hämolytisch und lipämisch', ['HEMOLYSIS', 'LIPEMIA']],
    ['Sérum lipémique', ['LIPEMIA']],
    ['Suero ictérico', ['ICTERUS']],
    ['Siero itterico', ['ICTERUS']],
    ['Icterus index 4+', ['ICTERUS']],
    ['溶血あり', ['HEMOLYSIS']],
    ['Hemolysis, icterus, lipemia: none', []],
    ['Hemolysis, icterus and lipemia not detected', []],
    ['HIL indices: hemolysis 0, icterus 0, lipemia 0', []],
    ['Keine Hämolyse, kein Ikterus', []],
    ['No icterus or lipemia seen', []],
    ['Lipemia 1+', []],
    ['slightly icteric', []],
    ['If lipemic, sodium may be falsely low', []],
    ['hyperlipemia treated with statins', []],
    ['Bilirubin may be raised by hemolysis', []],
  ])('%s', (text, found) => {
    expect(interferentsIn(text)).toEqual(found)
  })

  it('beside one result count where they say that it may have changed', () => {
    expect(interferentsIn('May be increased by hemolysis', { isBeside: true })).toEqual(['HEMOLYSIS'])
    expect(interferentsIn('Could be affected by lipemia', { isBeside: true })).toEqual(['LIPEMIA'])
    expect(interferentsIn('Not affected by hemolysis', { isBeside: true })).toEqual([])
  })

  it.each([
    ['Lipemia index', '3+', ['LIPEMIA']],
    ['Lipemic index', '1', []],
    ['Icterus-Index', 'stark', ['ICTERUS']],
    ['Icteric index', '+', []],
    ['Hemolysis index', '1+', ['HEMOLYSIS']],
    ['Turbidity', 'none', []],
  ])('are read of an index, too: %s %s', (name, valueText, found) => {
    expect(interferentsOfIndex({ names: [name], valueText })).toEqual(found)
  })

  it.each([
    'Sample hemolysed, repeat',
    'Haemolysed - please recollect',
    'Probe hämolytisch, neue Einsendung',
    'Sérum hémolysé, à refaire',
    'Muestra hemolizada, repetir',
    'Amostra hemolisada, nova coleta',
    'Monster hemolytisch, herhalen',
    'Provet hemolyserat, ta nytt',
  ])('want another sample: %s', (text) => {
    expect(annuls(text)).toBe(true)
  })
})

describe('a remark beside a result is an error of its sample', () => {
  it.each(['Hemolysis index 3+', 'Result may be higher because of haemolysis', 'hämolytisch'])('%s', async (note) => {
    const csv = ['Test,Result,Unit,Comment', `LDH,420,U/L,${note}`]
    const hl7 = [
      'MSH|^~\\&|LIS|LAB|KITS|OPS|20260312104500||ORU^R01|M1|P|2.5.1',
      'OBR|1|P1|F1|24323-8^CMP^LN|||202603110815',
      'OBX|1|NM|2532-0^LDH^LN||420|U/L|||||F',
      `NTE|1|L|${note}`,
    ]
    const fhir = {
      resourceType: 'Observation',
      status: 'final',
      valueQuantity: { value: 420, unit: 'U/L' },
      code: { coding: [{ system: 'http://loinc.org', code: '2532-0', display: 'LDH' }] },
      note: [{ text: note }],
    }
    const read = await Promise.all([
      parseBytes(Buffer.from(csv.join('\n')), { maxPages: 1 }),
      parseBytes(Buffer.from(hl7.join('\r')), { maxPages: 1 }),
      parseBytes(Buffer.from(JSON.stringify(fhir)), { maxPages: 1 }),
    ])
    expect(read.map(({ reports: [report] }) => report?.specimenErrors)).toEqual(Array(3).fill(['HEMOLYSIS']))
  })
})
