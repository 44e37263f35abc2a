// Measures text recognition on scans of made-up sheets: values right, wrong but flagged, wrong and not flagged, missed;
// time and memory.
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { biomarkers as catalogue } from '@kitlane/lab-reader/facts/biomarkers'
import { RecognisedFile } from '@kitlane/lab-reader/parse/ocr/recognised'
import { candidatesOf } from '../src/modules/lab/review/rules.ts'
import {
  expected,
  font,
  type labSheet,
  otherSheet,
  pdfOfPictures,
  type Scanner,
  scanPage,
} from '../test/samples/make-scan.ts'
import { score } from '../test/samples/score-scan.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    verbose: { type: 'boolean', default: false },
    sheets: { type: 'string', default: '3' },
  },
})
const child = fileURLToPath(new URL('../packages/lab-reader/src/parse/ocr/child.ts', import.meta.url))

interface Measured {
  file: RecognisedFile
  /** CPU time of both threads. Other programs on the machine do not count. */
  cpuSeconds: number
  peakMb: number
}

/** Runs the child as the service does, and samples its memory and CPU time. */
async function measure(bytes: Buffer): Promise<Measured> {
  const run = spawn(process.execPath, [child, '10', '120000'], { stdio: ['pipe', 'pipe', 'ignore'], env: {} })
  let [peakMb, cpuSeconds] = [0, 0]
  const of = (file: string) => readFile(`/proc/${run.pid}/${file}`, 'latin1').catch(() => '')
  const watch = setInterval(async () => {
    peakMb = Math.max(peakMb, Number(/^VmHWM:\s+(\d+) kB/m.exec(await of('status'))?.[1] ?? 0) / 1024)
    const [user = 0, system = 0] = (await of('stat')).split(') ')[1]?.split(' ').slice(11, 13).map(Number) ?? []
    cpuSeconds = Math.max(cpuSeconds, (user + system) / 100)
  }, 50)
  const chunks: Buffer[] = []
  run.stdout.on('data', (chunk) => chunks.push(chunk))
  run.stdin.end(bytes)
  await new Promise((resolve) => run.once('close', resolve))
  clearInterval(watch)
  const { found } = JSON.parse(Buffer.concat(chunks).toString())
  return { file: RecognisedFile.parse(found), cpuSeconds, peakMb }
}

type Case = [title: string, scanner: Scanner, sheet: Parameters<typeof labSheet>[0], isPdf: boolean]
const cases: Case[] = [
  ['PDF, 300 dpi, PNG', { dpi: 300 }, {}, true],
  ['PDF, 300 dpi, JPEG, 1.3° askew, noise', { dpi: 300, angle: 1.3, noise: 40, format: 'jpeg' }, {}, true],
  ['PDF, 216 dpi, JPEG, 0.8° askew, noise', { dpi: 216, angle: 0.8, noise: 40, format: 'jpeg' }, {}, true],
  [
    'PDF, 216 dpi, serif 8 pt, −2° askew',
    { dpi: 216, angle: -2, noise: 25, format: 'jpeg' },
    { font: font('DejaVuSerif'), fontSize: 8 },
    true,
  ],
  ['PDF, 150 dpi, PNG', { dpi: 150 }, {}, true],
  ['PDF, 150 dpi, JPEG, −0.7° askew, noise', { dpi: 150, angle: -0.7, noise: 40, format: 'jpeg' }, {}, true],
  ['PDF, 100 dpi, JPEG, 0.5° askew, noise', { dpi: 100, angle: 0.5, noise: 25, format: 'jpeg' }, {}, true],
  ['PDF, 72 dpi, JPEG', { dpi: 72, format: 'jpeg' }, {}, true],
  ['PNG, 300 dpi', { dpi: 300 }, {}, false],
  ['PNG, 150 dpi, 1° askew, noise', { dpi: 150, angle: 1, noise: 40 }, {}, false],
  ['JPEG, 216 dpi, 2.5° askew, noise', { dpi: 216, angle: 2.5, noise: 60, format: 'jpeg' }, {}, false],
  [
    'JPEG, 150 dpi, typewriter 8 pt',
    { dpi: 150, angle: 0.4, noise: 25, format: 'jpeg' },
    { font: font('DejaVuSansMono'), fontSize: 8 },
    false,
  ],
  ['JPEG, 100 dpi, noise', { dpi: 100, noise: 25, format: 'jpeg' }, {}, false],
]

const say = (line: string) => console.log(line)
const sheets = Number(values.sheets)
say(`${sheets} sheets of ${expected.length} values per row; CPU seconds and MB per page.\n`)
say('| scan | right | of these flagged | wrong, flagged | wrong, NOT flagged | missed | invented | CPU s | MB |')
say('|---|---|---|---|---|---|---|---|---|')
for (const [title, scanner, sheet, isPdf] of cases) {
  if (values.only && !title.includes(values.only)) continue
  const sum = { right: 0, rightFlagged: 0, wrongFlagged: 0, wrongNotFlagged: 0, missed: 0, invented: 0 }
  let [cpu, peak] = [0, 0]
  for (let seed = 1; seed <= sheets; seed++) {
    const made = otherSheet(seed, sheet)
    const picture = await scanPage(made.page, scanner)
    const { file, cpuSeconds, peakMb } = await measure(isPdf ? await pdfOfPictures([picture]) : picture)
    const candidates = candidatesOf(file.rows, catalogue)
    const one = score(candidates, made.expected)
    for (const key of Object.keys(sum) as (keyof typeof sum)[]) sum[key] += one[key]
    cpu += cpuSeconds
    peak = Math.max(peak, peakMb)
    if (!values.verbose) continue
    for (const { raw, value, problem, confidence } of candidates)
      say(`   ${confidence} ${value} | ${raw} | ${problem ?? ''}`)
  }
  const { right, rightFlagged, wrongFlagged, wrongNotFlagged, missed, invented } = sum
  const figures = [
    `${right}/${sheets * expected.length}`,
    rightFlagged,
    wrongFlagged,
    wrongNotFlagged,
    missed,
    invented,
  ]
  say(`| ${[title, ...figures, (cpu / sheets).toFixed(1), peak.toFixed(0)].join(' | ')} |`)
}
