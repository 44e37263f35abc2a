// Reads made-up laboratory documents of many classes, and scores what became of every line: right, wrong, waiting, lost.
// The same seed makes the same documents.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { randomOf } from '../../../prove/random.ts'
import { classes } from './classes.ts'
import { fresh } from './fresh.ts'
import { scoreDocument } from './score.ts'
import type { Score } from './truth.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    /** Documents of each class. */
    count: { type: 'string', default: '40' },
    /** Only classes whose name holds this text. */
    class: { type: 'string', default: '' },
    /** Prints so many faults of each class. */
    show: { type: 'string', default: '0' },
    /** Reads the files of evaluate/fresh instead, which are the same whatever the seed. */
    fresh: { type: 'boolean', default: false },
    /** Writes the files and what a reader says of them into this folder, for other importers, and reads nothing. */
    write: { type: 'string' },
  },
})
const made = values.fresh
  ? fresh
  : classes.map(({ name, make }) => ({
      ...{ name, count: Number(values.count) },
      make: (index: number) => make(randomOf(Number(values.seed) * 100_003 + index)),
    }))

const endings = { hl7v2: 'hl7', fhir: 'json', csv: 'csv', pdf: 'pdf' } as const
if (values.write !== undefined) {
  await writeTo(values.write)
  process.exit()
}

const total: Score = { right: 0, wrong: 0, waiting: 0, lost: 0, certain: 0, certainRight: 0, faults: [] }
const row = (name: string, { right, wrong, waiting, lost, certain, certainRight }: Score) =>
  `${name.padEnd(34)}${[right, wrong, waiting, lost].map((count) => String(count).padStart(9)).join('')}${`${certain === 0 ? '–' : ((100 * certainRight) / certain).toFixed(1)} %`.padStart(12)}`

console.log(
  values.fresh
    ? `${fresh.reduce((sum, { count }) => sum + count, 0)} files`
    : `seed ${values.seed}, ${values.count} documents of each class`,
)
console.log(
  `${''.padEnd(34)}${['right', 'wrong', 'waiting', 'lost'].map((word) => word.padStart(9)).join('')}  of certain`,
)
for (const one of made.filter(({ name }) => name.includes(values.class))) {
  const sum: Score = { ...total, right: 0, wrong: 0, waiting: 0, lost: 0, certain: 0, certainRight: 0, faults: [] }
  for (let index = 0; index < one.count; index++) {
    const score = await scoreDocument(await one.make(index))
    for (const key of ['right', 'wrong', 'waiting', 'lost', 'certain', 'certainRight'] as const) sum[key] += score[key]
    sum.faults.push(...score.faults.map((fault) => `${index}: ${fault}`))
  }
  console.log(row(one.name, sum))
  for (const fault of sum.faults.slice(0, Number(values.show))) console.log(`    ${fault}`)
  for (const key of ['right', 'wrong', 'waiting', 'lost', 'certain', 'certainRight'] as const) total[key] += sum[key]
}
console.log(row('all', total))
process.exit(total.wrong + total.lost === 0 ? 0 : 1)

/** Each file as `0001.hl7`, and `expected.json` with a row for each: its name, kind and `Made` without the bytes. */
async function writeTo(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const rows: unknown[] = []
  for (const { name: kind, count, make } of made.filter(({ name }) => name.includes(values.class))) {
    for (let index = 0; index < count; index++) {
      const { bytes, ...reading } = await make(index)
      const file = `${String(rows.length + 1).padStart(4, '0')}.${endings[reading.format]}`
      await writeFile(join(folder, file), bytes)
      rows.push({ file, kind, ...reading })
    }
  }
  await writeFile(join(folder, 'expected.json'), `${JSON.stringify(rows, null, 1)}\n`)
  console.log(`${rows.length} files and expected.json in ${folder}`)
}
