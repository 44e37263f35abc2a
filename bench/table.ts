// Writes the figures of bench/results.json, and of the other runs whose files are there, into docs/performance.md, between two markers.
import { readFile, writeFile } from 'node:fs/promises'
import { apartRows } from './table/apart.ts'
import { intakeRows, otherRows, type Published } from './table/rows.ts'

const BEGIN = '<!-- speed: written by node bench/table.ts -->'
const END = '<!-- /speed -->'

const results = JSON.parse(await readFile(new URL('./results.json', import.meta.url), 'utf8')) as Published
const page = new URL('../docs/performance.md', import.meta.url)
const text = await readFile(page, 'utf8')
const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
if (begin < 0 || end < begin) throw new Error(`docs/performance.md has no place for the table: ${BEGIN} … ${END}`)
const rows = [...intakeRows(results), ...(await apartRows()), ...otherRows(results)]
const { cores, cpu, memoryGb, node } = results.machine
const server = `${cores} cores (${cpu}) and ${memoryGb} GB that service, database and load generator share`
const versions = `PostgreSQL ${results.postgres ?? '18'}, Node ${node}, ${results.at.slice(0, 10)}`
const table = [
  `Medians (lowest to highest) of runs in turns, on ${server}; ${versions}.`,
  '',
  '| measure | Kitlane | baseline |',
  '|---|---|---|',
  ...rows.map((cells) => `| ${cells.join(' | ')} |`),
].join('\n')
await writeFile(page, `${text.slice(0, begin + BEGIN.length)}\n${table}\n${text.slice(end)}`)
