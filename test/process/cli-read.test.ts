import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { callKitlane } from '../harness/in-process.ts'
import { root } from '../harness/sources.ts'

const kitlane = (...args: string[]) => callKitlane(args, {}, root)
const sample = (name: string) => fileURLToPath(new URL(`../samples/${name}`, import.meta.url))

it('kitlane read says what a file holds, and what waits for a person and why', async () => {
  const { code, stdout, stderr } = await kitlane('read', sample('urine-and-two-days.hl7'))
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^hl7v2\n/)
  expect(stdout).toMatch(/collected 2025-06-04; final\n2 read:\n +glucose +91 mg\/dL +N +“Glucose”\n/)
  expect(stdout).toMatch(/“Glucose, 2 hour” +130 mg\/dL +The name speaks of another specimen or a provoked state/)
})

it('kitlane read prints the same as JSON', async () => {
  const { stdout } = await kitlane('read', '--json', sample('urine-and-two-days.hl7'))
  const { format, reports } = JSON.parse(stdout)
  expect(format).toBe('hl7v2')
  expect(reports[1]).toMatchObject({
    collectedDate: '2025-06-04',
    results: [
      { biomarkerId: 'glucose', value: 91, unit: 'mg/dL', labFlag: 'N' },
      { biomarkerId: 'calcium_ionized', value: 1.2, unit: 'mmol/L' },
    ],
    unmatched: [{ name: 'Glucose, 2 hour' }, {}, {}],
  })
})

it.each([
  ['package.json', 'Only PDF with text, CSV, HL7 v2 results and FHIR R4 results can be read (UNSUPPORTED_FORMAT).\n'],
  ['nothing.pdf', 'The file nothing.pdf cannot be read. Check its path.\n'],
])('kitlane read says why it cannot read %s', async (file, sentence) => {
  const { code, stdout, stderr } = await kitlane('read', file)
  expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: sentence })
})
