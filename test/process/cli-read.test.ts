import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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

const message = (id: string, status: string, value: number) =>
  [
    `MSH|^~\\&|LIS|W|CO|CO|2026030${id}120000||ORU^R01|7${id}|P|2.5.1`,
    'PID|1||W12||VALLE^NORA||19750606|F',
    `OBR|1|A1|F1|X^Panel^L|||20260227070000|||||||||||||||2026030${id}110000|||${status}`,
    `OBX|1|NM|2345-7^Glucose^LN||${value}|mg/dL|70-99|N|||${status}`,
  ].join('\r')

it('kitlane read shows what stands after all messages of a sample, and which one corrected which', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'read-')), 'two.hl7')
  await writeFile(file, [message('1', 'F', 95), message('2', 'C', 89)].join('\r'))
  const { stdout } = await kitlane('read', file)
  expect(stdout).toMatch(/1 read:\s+glucose\s+89 mg\/dL\s.*corrected/)
  expect(stdout).toMatch(/1 waiting for a person:\s+“Glucose”\s+95 mg\/dL .*: message 72 says 89 \(corrected\)/)
})

it('kitlane read shows when each value was taken, and what the request says of the person', async () => {
  const file = join(await mkdtemp(join(tmpdir(), 'read-')), 'hours.hl7')
  const asked = message('1', 'F', 95).replace('20260227070000||||||', '20260227070000||||||On metformin')
  await writeFile(file, [asked, 'OBX|2|NM|2143-6^Cortisol^LN||12|ug/dL|||||F|||20260227081500+0100'].join('\r'))
  const { stdout } = await kitlane('read', file)
  expect(stdout).toMatch(/The request says of the person: On metformin\n/)
  expect(stdout).toMatch(/glucose +95 mg\/dL +N +07:00 .*\n +cortisol +12 ug\/dL +08:15\+01:00 /)
})

it('kitlane read shows what is said of the sample, of its state and beside a value', async () => {
  const lines = [
    message('1', 'F', 95),
    'NTE|1||Measured twice',
    'OBX|2|ST|49541-6^Fasting status^LN||No||||||F',
    'OBX|3|ST|82810-3^Pregnancy status^LN||Pregnant||||||F',
    `SPM|1|||SER^Serum^HL70487${'|'.repeat(20)}LIP^Lipemic^L`,
  ]
  const file = join(await mkdtemp(join(tmpdir(), 'read-')), 'said.hl7')
  await writeFile(file, lines.join('\r'))
  const { stdout } = await kitlane('read', file)
  expect(stdout).toContain('The specimen: Lipemic')
  expect(stdout).toMatch(/glucose +95 mg\/dL .*“Glucose” +not fasting; pregnant; Measured twice/)
})
