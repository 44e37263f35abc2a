import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parseInChild } from '../../src/modules/lab/parse-in-child.ts'
import { childrenCpuMs, slowness, watchLoop } from '../harness/loop.ts'
import { root } from '../harness/sources.ts'
import * as hostile from '../samples/hostile.ts'
import { makePdf, makeScan } from '../samples/make-pdf.ts'
import { labcorp } from '../samples/pdf-pages.ts'

const sample = (name: string) => readFileSync(new URL(`../samples/${name}`, import.meta.url))

/** Processes of ours that run the parser: each reads one file, and one may wait for the next. */
function children(): number[] {
  const table = execFileSync('ps', ['-eo', 'pid,ppid,stat,args'], { encoding: 'utf8' })
  return table.split('\n').flatMap((line) => {
    const [, pid, parent, state = ''] = /^ *(\d+) +(\d+) (\S+) .*\/parse\/child\./.exec(line) ?? []
    return Number(parent) === process.pid && !state.startsWith('Z') ? [Number(pid)] : []
  })
}

const hl7 = () => sample('lipids-metric.hl7')

interface Measured {
  outcome: string
  needsReview?: string
  message?: string
  tookMs: number
  heldUpMs: number
  grewMb: number
}

async function measure(bytes: Uint8Array): Promise<Measured> {
  const before = process.memoryUsage.rss()
  const from = childrenCpuMs()
  const loop = watchLoop()
  const outcome = await parseInChild(bytes).then(
    (file) => ({ outcome: file.format }),
    (error) => ({ outcome: error.code ?? String(error), needsReview: error.needsReview, message: error.message }),
  )
  const heldUpMs = loop.stop()
  return {
    ...outcome,
    tookMs: childrenCpuMs() - from,
    heldUpMs,
    grewMb: (process.memoryUsage.rss() - before) / 1024 / 1024,
  }
}

describe('the process that reads a file', () => {
  test('gives the same as reading it here, for every format', async () => {
    expect((await parseInChild(await makePdf(labcorp))).reports[0]?.observations).toHaveLength(23)
    expect((await parseInChild(sample('lipids-metric.hl7'))).reports[0]?.observations).toHaveLength(16)
    expect((await parseInChild(sample('bundle.json'))).reports[0]?.observations).toHaveLength(10)
    expect((await parseInChild(sample('by-day.csv'))).reports).toHaveLength(2)
  })

  test('reads one file and has ended with it; the next file is given to another that waited', async () => {
    const used: number[] = []
    for (let files = 0; files < 3; files++) {
      await parseInChild(hl7())
      const waiting = children()
      expect(waiting).toHaveLength(1)
      expect(used).not.toContain(waiting[0])
      used.push(...waiting)
    }
  })

  test('that was killed while it waited is replaced, and no file is refused for it', async () => {
    await parseInChild(hl7())
    const [waiting = 0] = children()
    process.kill(waiting, 'SIGKILL')
    // Asked before this process can hear of it.
    expect((await parseInChild(hl7())).reports[0]?.observations).toHaveLength(16)
    expect(children()).not.toContain(waiting)
    expect(children()).toHaveLength(1)
  })

  test('waits for a file only where it has the limits of that file', async () => {
    await parseInChild(hl7())
    const waiting = children()
    await expect(parseInChild(hl7(), { maxMemoryMb: 10 })).rejects.toMatchObject({ code: 'TOO_LARGE' })
    expect(children()).not.toEqual(waiting)
    const large = Buffer.concat([hl7(), Buffer.alloc(2 * 1024 ** 2, '\r')])
    const kept = children()
    expect((await parseInChild(large)).reports[0]?.observations).toHaveLength(16)
    expect(children()).toEqual(kept)
  })

  test('keeps the service from nothing while it waits, and ends with it', async () => {
    const program = `
      import { execFileSync } from 'node:child_process'
      import { readFileSync } from 'node:fs'
      import { parseInChild } from './src/modules/lab/parse-in-child.ts'
      await parseInChild(readFileSync('test/samples/lipids-metric.hl7'))
      console.log(execFileSync('pgrep', ['-P', process.pid, '-f', 'parse/child'], { encoding: 'utf8' }))`
    const args = ['--input-type=module', '-e', program]
    const [waiting = 0] = execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8' }).split('\n').map(Number)
    expect(waiting).toBeGreaterThan(0)
    await expect.poll(() => existsSync(`/proc/${waiting}`)).toBe(false)
  })

  test('keeps why a person must look', async () => {
    await expect(parseInChild(await makeScan())).rejects.toMatchObject({
      code: 'NEEDS_REVIEW',
      needsReview: 'scan',
    })
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
    await expect(parseInChild(png)).rejects.toMatchObject({ code: 'NEEDS_REVIEW', needsReview: 'image' })
  })

  test('runs at most twice at once; 20 wait and the next is asked to come back', async () => {
    const bytes = sample('qns.hl7')
    const all = Array.from({ length: 23 }, () =>
      parseInChild(bytes).then(
        (file) => file.format,
        (error) => error.code,
      ),
    )
    await expect.poll(() => children().length).toBeGreaterThan(0)
    expect(children().length).toBeLessThanOrEqual(2)
    const outcomes = await Promise.all(all)
    expect(outcomes.filter((one) => one === 'hl7v2')).toHaveLength(22)
    expect(outcomes.filter((one) => one === 'BUSY')).toHaveLength(1)
    expect(children()).toHaveLength(1)
  })

  test('asks to come back where the machine has no time for it, has ended, and the place is free again', async () => {
    const slow = await makePdf(labcorp)
    await expect(parseInChild(slow, { timeoutMs: 20 })).rejects.toMatchObject({ code: 'BUSY' })
    expect(children()).toHaveLength(1)
    expect((await parseInChild(slow)).format).toBe('pdf')
  })

  test('is ended when it has worked too long, however busy the machine is', async () => {
    const long = Buffer.from(`${header}OBX|1|TX|1^${'\\'.repeat(20 * 1024 ** 2)}\r`)
    const asked = parseInChild(long, { maxCpuSeconds: 1, maxMemoryMb: 2048 })
    await expect(asked).rejects.toMatchObject({ code: 'PARSE_TIMEOUT' })
  })

  test('is ended when it takes too much memory', async () => {
    await expect(parseInChild(await makePdf(labcorp), { maxMemoryMb: 10 })).rejects.toMatchObject({
      code: 'TOO_LARGE',
    })
  })
})

const header = 'MSH|^~\\&|A|B|C|D|20250306||ORU^R01|1|P|2.5\r'
const secret = 'Ignatius../../../../etc/passwd'

const attacks: [string, () => Promise<Uint8Array> | Uint8Array, string[]][] = [
  ['10,000 pages', () => hostile.manyPages(10_000), ['TOO_MANY_PAGES']],
  ['a lie about its pages', hostile.lyingCount, ['TOO_MANY_PAGES', 'PARSE_FAILED', 'NEEDS_REVIEW']],
  ['pages in a loop', hostile.pageLoop, ['PARSE_FAILED', 'NEEDS_REVIEW', 'PARSE_TIMEOUT']],
  ['a table of zero-width entries', hostile.zeroWidthTable, ['PARSE_FAILED', 'PARSE_TIMEOUT', 'TOO_LARGE']],
  ['300 MB deflated', hostile.bomb, ['NEEDS_REVIEW', 'PARSE_FAILED', 'TOO_LARGE', 'PARSE_TIMEOUT']],
  ['300 MB deflated twice', hostile.doubleBomb, ['NEEDS_REVIEW', 'PARSE_FAILED', 'TOO_LARGE', 'PARSE_TIMEOUT']],
  ['four million words', hostile.wordBomb, ['TOO_LARGE', 'PARSE_TIMEOUT', 'PARSE_FAILED']],
  ['a PDF cut off', async () => (await makePdf(labcorp)).subarray(0, 2500), ['PARSE_FAILED', 'NEEDS_REVIEW']],
  [
    'rubbish behind a PDF header',
    () => Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(1e6, 0xa5)]),
    ['PARSE_FAILED'],
  ],
  ['a ZIP', () => Buffer.from('PK\x03\x04report.pdf'), ['UNSUPPORTED_FORMAT']],
  ['a gzip', () => Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]), ['UNSUPPORTED_FORMAT']],
  [
    'a picture of 4 billion pixels a side',
    () =>
      Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.from('\0\0\0\rIHDR'), Buffer.alloc(8, 0xff)]),
    ['NEEDS_REVIEW'],
  ],
  ['nothing', () => Buffer.alloc(0), ['UNSUPPORTED_FORMAT']],
  [
    'a line of 50 MB',
    () => Buffer.concat([Buffer.from('Test,Result\nx,1\n'), Buffer.alloc(50 * 1024 * 1024, 'a,')]),
    ['TOO_LARGE'],
  ],
  ['a line of 9 MB', () => Buffer.concat([Buffer.from('Test,Result\nx,1\n'), Buffer.alloc(9e6, 'a')]), ['TOO_LARGE']],
  [
    'a heading of 40 kB',
    () => Buffer.from(`Date,A,B,${'x('.repeat(20_000)}\n2025-01-01,1,2,3\n`),
    ['csv', 'PARSE_TIMEOUT', 'NEEDS_REVIEW'],
  ],
  [
    'brackets 2 million deep',
    () => Buffer.from(`{"resourceType":"Bundle","entry":${'['.repeat(2e6)}${']'.repeat(2e6)}}`),
    ['PARSE_FAILED', 'NOTHING_FOUND'],
  ],
  [
    'resources nested 20,000 deep',
    () =>
      Buffer.from(
        `${'{"resourceType":"Observation","status":"final","contained":['.repeat(20_000)}${']}'.repeat(20_000)}`,
      ),
    ['PARSE_FAILED', 'NOTHING_FOUND', 'TOO_LARGE'],
  ],
  ['a million segments', () => Buffer.from(header + 'OBX|1|NM\r'.repeat(1_000_000)), ['TOO_LARGE']],
  ['100,000 rows', () => Buffer.from(`Test,Result,Unit\n${'Iron,90,ug/dL\n'.repeat(100_000)}`), ['TOO_LARGE']],
  [
    'many escapes',
    () => Buffer.from(`${header}OBX|1|TX|1^${'\\'.repeat(5e6)}\r`),
    ['NOTHING_FOUND', 'PARSE_FAILED', 'PARSE_TIMEOUT'],
  ],
  ['delimiters that are one', () => Buffer.from('MSH|||||||||\rOBX|1\r'), ['PARSE_FAILED']],
  ['paths for names', () => Buffer.from(`Test,Result,Unit\n${secret},90,ug/dL\n"${secret}`), ['PARSE_FAILED']],
]

test.each(attacks)('%s: answered with a code, the service undisturbed', async (_name, make, codes) => {
  const { outcome, message, tookMs, heldUpMs, grewMb } = await measure(await make())
  process.stdout.write(
    `${_name.padEnd(34)} ${outcome.padEnd(18)} ${tookMs.toFixed(0).padStart(5)} ms of CPU, held up ${heldUpMs.toFixed(0)} ms, +${grewMb.toFixed(0)} MB\n`,
  )
  expect(codes).toContain(outcome)
  expect(heldUpMs).toBeLessThan(200 * slowness())
  expect(grewMb).toBeLessThan(256)
  expect(message ?? '').not.toContain('Ignatius')
  expect(children().length).toBeLessThanOrEqual(1)
})

test('as many results as are taken do not disturb the service either', async () => {
  const row = (index: number) => `2025-01-01,Iron,${index % 200},ug/dL,37-145,${'comment '.repeat(20)}\n`
  const bytes = Buffer.from(
    `Date,Test,Result,Unit,Range,Comment\n${Array.from({ length: 3_000 }, (_, index) => row(index)).join('')}`,
  )
  const { outcome, tookMs, heldUpMs } = await measure(bytes)
  process.stdout.write(`3,000 rows: ${outcome} ${tookMs.toFixed(0)} ms of CPU, held up ${heldUpMs.toFixed(0)} ms\n`)
  expect(outcome).toBe('csv')
  expect(heldUpMs).toBeLessThan(200 * slowness())
})
