// How fast laboratories' files are read: values a second and peak memory of HL7, FHIR, CSV and PDF, and of a public parser of
// HL7 in the same rounds. Each turn is a process of its own, so that its memory is its own.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { freshCsv } from '../packages/lab-reader/evaluate/fresh/csv.ts'
import { freshFhir } from '../packages/lab-reader/evaluate/fresh/fhir.ts'
import { freshHl7 } from '../packages/lab-reader/evaluate/fresh/hl7.ts'
import { freshPdf } from '../packages/lab-reader/evaluate/fresh/pdf.ts'
import type { Reading, Side } from './reading/side.ts'
import { inWords, ratio, spread } from './suite/spread.ts'

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '2' } },
})

const sides: readonly [Side, typeof freshHl7][] = [
  ['hl7', freshHl7],
  ['hl7, parsed alone', freshHl7],
  ['hl7, medplum', freshHl7],
  ['fhir', freshFhir],
  ['csv', freshCsv],
  ['pdf', freshPdf],
]
const files = new Map(
  await Promise.all(
    sides.map(async ([side, kinds]) => {
      const made = kinds.flatMap(({ count, make }) => Array.from({ length: count }, (_, index) => make(index)))
      return [side, (await Promise.all(made)).map(({ bytes }) => bytes)] as const
    }),
  ),
)

async function turn(side: Side): Promise<Reading> {
  const child = fork(fileURLToPath(new URL('./reading/side.ts', import.meta.url)), { serialization: 'advanced' })
  child.send({ side, files: files.get(side), seconds: Number(values.seconds) })
  const [reading] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${side} ended with ${code}`))),
  ])
  return reading
}

const readings = new Map(sides.map(([side]) => [side, [] as Reading[]]))
for (let round = 0; round < Number(values.rounds); round++) {
  // Each side has another place in every round.
  for (let place = 0; place < sides.length; place++) {
    const [side = 'hl7'] = sides[(place + round) % sides.length] ?? []
    readings.get(side)?.push(await turn(side))
  }
}

const rates = (side: Side) => (readings.get(side) ?? []).map(({ valuesPerSecond }) => valuesPerSecond)
console.log(`${values.rounds} rounds of ${values.seconds} s: median (least to most)`)
console.log('| | files | values | values a second | MB of memory at most, of them before reading |')
console.log('|---|---|---|---|---|')
for (const [side] of sides) {
  const all = readings.get(side) ?? []
  const peak = spread(all.map(({ peakMb }) => peakMb))
  const idle = spread(all.map(({ idleMb }) => idleMb))
  const of = `${all[0]?.files} | ${all[0]?.values}`
  console.log(`| ${side} | ${of} | ${inWords(spread(rates(side)))} | ${inWords(peak)}, ${inWords(idle)} |`)
}
for (const side of ['hl7', 'hl7, parsed alone'] as const)
  console.log(`${side} ÷ medplum: ${inWords(ratio(rates(side), rates('hl7, medplum')), 3)}`)
