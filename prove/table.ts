// Writes the last figures of the proofs, of prove/results, into docs/proofs.md, between two markers.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type Figure, inWords, isRight, type Recorded } from './record.ts'

const BEGIN = '<!-- proofs: written by npm run prove:table -->'
const END = '<!-- /proofs -->'

const page = new URL('../docs/proofs.md', import.meta.url)
const folder = new URL('./results/', import.meta.url)

export const results: { name: string; last: Recorded }[] = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => ({
    name: basename(file, '.json'),
    last: JSON.parse(readFileSync(new URL(file, folder), 'utf8')),
  }))

/** docs/proofs.md as it should be. */
export function written(): string {
  const text = readFileSync(page, 'utf8')
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (begin < 0 || end < begin) throw new Error(`docs/proofs.md has no place for the figures: ${BEGIN} … ${END}`)
  return `${text.slice(0, begin + BEGIN.length)}\n${inFull()}\n${text.slice(end)}`
}

function inFull(): string {
  const rows = results.map(({ name, last }) => [
    `\`${name}${last.form ? ` -- ${last.form}` : ''}\`${last.promises.length > 0 ? `, ${last.promises.join(', ')}` : ''}`,
    last.right ? 'right' : '**missed**',
    whole(last.figures.filter((figure) => !isControl(figure))),
    controlOf(last),
    `${last.date}, ${last.commit}, ${last.seconds} s${last.seed === null ? '' : `, seed ${last.seed}`}`,
  ])
  return tableOf(['proof', '', 'figures', 'negative control', 'run'], rows)
}

const isControl = ({ name }: Figure) => name.startsWith('control: ')
const hasLimit = ({ atMost, atLeast }: Figure) => Boolean(atMost || atLeast)
const isNone = ({ actual, expected }: Figure) => actual === 0 && expected === 0

function whole(figures: readonly Figure[]): string {
  const none = figures.filter(isNone)
  const others = figures.filter((figure) => hasLimit(figure) || !isRight(figure)).map(inWords)
  return [...others, ...(none.length > 0 ? [countsOfErrors(none.length)] : [])].join('; ')
}

/** Other figures, and the names of these counts, are in the file of the proof: most rows would be several lines longer with them. */
const countsOfErrors = (count: number) =>
  count === 1 ? 'its count of errors is 0' : `all ${count} counts of errors are 0`

/** A run with a mistake, or the figures that a proof has of mistakes among its own. */
function controlOf({ control, figures }: Recorded): string {
  if (control) return `${control.mistake}: ${control.wrong === 0 ? '**not found**' : `${control.wrong} wrong`}`
  return whole(figures.filter(isControl)).replaceAll('control: ', '') || 'not recorded'
}

function tableOf(head: readonly string[], rows: readonly string[][]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return lines.join('\n')
}

if (import.meta.main) writeFileSync(page, written())
