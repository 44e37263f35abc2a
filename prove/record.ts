import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'

/** What a proof measured. Without `expected` it is only shown. */
export interface Figure {
  name: string
  actual: number
  expected?: number
  /** `expected` is an upper limit. */
  atMost?: boolean
  /** `expected` is a lower limit. */
  atLeast?: boolean
  /** Such as `s` or `MB`. None: a count. */
  unit?: string
}

/** When and how a proof ran last. */
export interface Recorded {
  /** The rows of the promise table that it proves, such as `R9`. None: a promise of a page of docs. */
  promises: string[]
  /** The arguments. None: the long form. */
  form: string
  /** Null: nothing in it is random. */
  seed: number | null
  /** The commit, with `+` if the checkout had changes. */
  commit: string
  /** UTC, as 2026-11-22. */
  date: string
  seconds: number
  right: boolean
  figures: Figure[]
  /** The last run with a mistake put in: which, and how many figures showed it. */
  control?: { mistake: string; wrong: number; commit: string; date: string }
}

const folder = new URL('./results/', import.meta.url)

export const isRight = ({ actual, expected, atMost, atLeast }: Figure): boolean =>
  expected === undefined || (atMost ? actual <= expected : atLeast ? actual >= expected : actual === expected)

/** A figure in words, such as `slowest answer: 2.1 s, at most 5 s`. */
export function inWords(figure: Figure): string {
  const { name, actual, expected, atMost, atLeast, unit } = figure
  const measured = (value: number) => `${value.toLocaleString('en')}${unit ? ` ${unit}` : ''}`
  const bound = atMost ? ', at most ' : atLeast ? ', at least ' : isRight(figure) ? undefined : ', not '
  return `${name}: ${measured(actual)}${expected === undefined || !bound ? '' : bound + measured(expected)}`
}

/** Prints the figures, and sets the exit code to 1 if one is wrong. Returns whether all are right. */
export function report(figures: readonly Figure[]): boolean {
  for (const figure of figures)
    console.log(`${figure.expected === undefined ? '     ' : isRight(figure) ? 'right' : 'missed'}  ${inWords(figure)}`)
  const right = figures.every(isRight)
  if (!right) process.exitCode = 1
  return right
}

/**
 * Keeps the figures in prove/results/<name>.json, which `npm run prove:table` writes into the docs. Call it for `--record`.
 * With `mistake`, the run was the negative control.
 */
export function record(
  name: string,
  { promises, seed, figures, mistake }: Pick<Recorded, 'promises' | 'figures'> & { seed?: number; mistake?: string },
): void {
  const path = new URL(`${name}.json`, folder)
  const before = maybeRead(path)
  const ran = { commit: commitNow(), date: new Date().toISOString().slice(0, 10) }
  const wrong = figures.filter((figure) => !isRight(figure)).length
  if (mistake !== undefined && !before) throw new Error(`record a run of ${name} without a mistake first`)
  const now: Recorded =
    mistake !== undefined && before
      ? { ...before, control: { mistake, wrong, ...ran } }
      : {
          promises,
          form: process.argv
            .slice(2)
            .filter((argument) => argument !== '--record')
            .join(' '),
          seed: seed ?? null,
          ...ran,
          seconds: Math.round(performance.now() / 1000),
          right: wrong === 0,
          figures: [...figures],
          control: before?.control,
        }
  writeFileSync(path, `${JSON.stringify(now, null, 2)}\n`)
  console.log(`recorded in prove/results/${basename(path.pathname)}`)
}

function maybeRead(path: URL): Recorded | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw err
  }
}

function commitNow(): string {
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder, encoding: 'utf8' }).stdout.trim()
  const changed = git('status', '--porcelain', '--', '../..', ':!../results', ':!../../README.md', ':!../../docs')
  return `${git('rev-parse', '--short=8', 'HEAD')}${changed ? '+' : ''}`
}
