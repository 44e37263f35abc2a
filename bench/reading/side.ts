// One side of the bench of reading, in a process of its own: it reads the files that it is sent, over and over.
import { readFileSync } from 'node:fs'
import { biomarkers } from '@kitlane/lab-reader/facts/biomarkers'
import { identifyReport } from '@kitlane/lab-reader/identify/identify'
import { parseBytes } from '@kitlane/lab-reader/parse/parse-bytes'
import { Hl7Message } from '@medplum/core'

export type Side = 'hl7' | 'hl7, parsed alone' | 'hl7, medplum' | 'fhir' | 'csv' | 'pdf'

export interface Reading {
  files: number
  /** Values in all of the files: results, and what waits for a person. */
  values: number
  valuesPerSecond: number
  peakMb: number
  /** Before the first file is read, with all programs and files loaded. */
  idleMb: number
}

type Read = (bytes: Uint8Array) => Promise<number> | number

/** Reads a file as an upload is read: every value with its biomarker, or why it has none. */
async function readFile(bytes: Uint8Array): Promise<number> {
  const { reports } = await parseBytes(bytes, { maxPages: 200 })
  const read = reports.map((report) => identifyReport(report, biomarkers))
  return read.reduce((sum, { results, unmatched }) => sum + results.length + unmatched.length, 0)
}

/** Without the biomarkers: what is left is nearest to what a parser of HL7 does. */
async function parseAlone(bytes: Uint8Array): Promise<number> {
  const { reports } = await parseBytes(bytes, { maxPages: 200 })
  return reports.reduce((sum, { observations }) => sum + observations.length, 0)
}

const readers: Partial<Record<Side, Read>> = { 'hl7, parsed alone': parseAlone, 'hl7, medplum': readByMedplum }

/** What a caller of that parser does first: name, value, unit, range, flag and status as texts. The frame of MLLP is off. */
function readByMedplum(bytes: Uint8Array): number {
  const text = new TextDecoder().decode(bytes).replaceAll(/\p{Cc}(?<![\r\n])/gu, '')
  const messages = text.split(/(?=^MSH)/m).filter((one) => one.startsWith('MSH'))
  return messages.reduce((sum, one) => {
    const all = Hl7Message.parse(one).getAllSegments('OBX')
    const texts = all.map((obx) => [3, 5, 6, 7, 8, 11].map((field) => obx.getField(field)?.toString() ?? ''))
    return sum + texts.length
  }, 0)
}

const megabytes = (name: 'VmHWM' | 'VmRSS') =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(readFileSync('/proc/self/status', 'latin1'))?.[1]) / 1024

process.once('message', async ({ side, files, seconds }: { side: Side; files: Uint8Array[]; seconds: number }) => {
  const read = readers[side] ?? readFile
  const idleMb = megabytes('VmRSS')
  // Files that are refused as a whole are left out: anyone who looks at them reads no value.
  const readable: { bytes: Uint8Array; count: number }[] = []
  for (const bytes of files) {
    const count = await Promise.resolve(bytes)
      .then(read)
      .catch(() => 0)
    if (count > 0) readable.push({ bytes, count })
  }
  const perPass = readable.reduce((sum, { count }) => sum + count, 0)
  const pass = async () => {
    for (const { bytes } of readable) await read(bytes)
  }
  const until = async (ms: number) => {
    const start = performance.now()
    let passes = 0
    for (; performance.now() - start < ms; passes++) await pass()
    return (passes * perPass * 1000) / (performance.now() - start)
  }
  // A new process compiles in its first second.
  await until(1000)
  const valuesPerSecond = await until(seconds * 1000)
  const reading: Reading = {
    files: readable.length,
    values: perPass,
    valuesPerSecond,
    peakMb: megabytes('VmHWM'),
    idleMb,
  }
  process.send?.(reading, () => process.exit())
})
