import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'

const LAST_OUTPUT_MS = 2000

/** A program and its arguments. */
export type Command = readonly string[]

export interface Step {
  name: string
  /** They run side by side, and each in any case. */
  commands: readonly Command[]
}

/** What a step took. */
export interface Taken {
  name: string
  right: boolean
  wallS: number
  cpuS?: number
  /** That it printed, of what was random. */
  seed?: string
  /** It ran beside others, so that its seconds are among those of the line of all of them. */
  isBeside?: true
}

/**
 * Seconds of CPU of the whole machine since its start: all of it but waiting. It counts daemons that have left their parents,
 * as PostgreSQL's do, and whatever else runs. Undefined where there is no /proc.
 */
export function machineCpuS(stat = maybeRead('/proc/stat')): number | undefined {
  const fields = /^cpu +(.+)$/m
    .exec(stat ?? '')?.[1]
    ?.split(' ')
    .map(Number)
  if (!fields) return undefined
  // Guests are counted as users already. A tick is 10 ms for every Linux program.
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0] = fields
  return (user + nice + system + irq + softirq) / 100
}

function maybeRead(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Runs the commands of a step to their ends, and prints what they print: `atEnd` only then, so that it stays together. */
export async function take({ name, commands }: Step, cwd: string, { atEnd = false } = {}): Promise<Taken> {
  if (!atEnd) console.log(`\n── ${name}`)
  const [beganMs, cpuS] = [performance.now(), machineCpuS()]
  const ended = await Promise.all(commands.map((command) => run(command, cwd, atEnd)))
  if (atEnd) console.log([`\n── ${name}`, ...ended.map(({ printed }) => printed)].join('\n'))
  const wrong = ended.filter(({ code }) => code !== 0)
  for (const { command, code } of wrong) console.log(`failed, exit code ${code}: ${command.join(' ')}`)
  return {
    name,
    right: wrong.length === 0,
    wallS: (performance.now() - beganMs) / 1000,
    cpuS: since(cpuS),
    seed: ended.map(({ seed }) => seed).find(Boolean),
  }
}

// Each mostly waits for one process of its own.
const AT_ONCE = 2

/** Takes steps that mostly wait, two at a time. Answers all of them as one, and then each. */
export async function takeBeside(name: string, steps: readonly Step[], cwd: string): Promise<Taken[]> {
  const [beganMs, cpuS] = [performance.now(), machineCpuS()]
  const [left, taken] = [[...steps], [] as Taken[]]
  const lane = async () => {
    for (let step = left.shift(); step; step = left.shift()) taken.push(await take(step, cwd, { atEnd: true }))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  const all = {
    name,
    right: taken.every(({ right }) => right),
    wallS: (performance.now() - beganMs) / 1000,
    cpuS: since(cpuS),
  }
  return [all, ...taken.map(({ name, right, wallS, seed }) => ({ name, right, wallS, seed, isBeside: true as const }))]
}

/** The CPU of the machine since it was `beganS`. */
export function since(beganS: number | undefined): number | undefined {
  const nowS = machineCpuS()
  return beganS === undefined || nowS === undefined ? undefined : nowS - beganS
}

interface Ended {
  command: Command
  code: number
  seed?: string
  printed: string
}

function run(command: Command, cwd: string, atEnd: boolean): Promise<Ended> {
  return new Promise((resolve) => {
    const [program = '', ...args] = command
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let seed: string | undefined
    let tail = ''
    let printed = ''
    const pass = (to: NodeJS.WriteStream) => (chunk: Buffer) => {
      if (atEnd) printed += chunk
      else to.write(chunk)
      if (seed) return
      tail = `${tail.slice(-100)}${chunk}`
      seed = /\bseed (\d+)\b(?!$)/i.exec(tail)?.[1]
    }
    child.stdout.on('data', pass(process.stdout))
    child.stderr.on('data', pass(process.stderr))
    child.on('error', (err) => {
      console.error(err.message)
      resolve({ command, code: 127, printed })
    })
    child.on('exit', async (code) => {
      // The last of the output comes after the exit, but a daemon that is left may hold it open.
      await Promise.race([once(child, 'close'), delay(LAST_OUTPUT_MS)])
      resolve({ command, code: code ?? 1, seed, printed })
    })
  })
}

/** A table of what the steps took, and of all together. */
export function tableOf(taken: readonly Taken[]): string {
  const sum = (figures: (number | undefined)[]) => figures.reduce<number>((all, one = 0) => all + one, 0)
  const apart = taken.filter(({ isBeside }) => !isBeside)
  const total = {
    name: 'together',
    right: taken.every(({ right }) => right),
    wallS: sum(apart.map(({ wallS }) => wallS)),
    cpuS: apart.some(({ cpuS }) => cpuS === undefined) ? undefined : sum(apart.map(({ cpuS }) => cpuS)),
  }
  const rows = [...taken, total].map(({ name, right, wallS, cpuS, seed = '', isBeside }: Taken) => [
    name,
    right ? 'right' : 'MISSED',
    wallS.toFixed(1),
    cpuS?.toFixed(1) ?? (isBeside ? '' : '?'),
    seed,
  ])
  const all = [['step', 'result', 'wall s', 'CPU s', 'seed'], ...rows]
  const widths = [0, 1, 2, 3, 4].map((column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  const isNumber = (column: number) => column === 2 || column === 3
  return all
    .map((row) =>
      row
        .map((cell, column) =>
          isNumber(column) ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
        )
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
