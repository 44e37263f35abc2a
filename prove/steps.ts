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

/** Runs the commands of a step to their ends, and prints what they print. */
export async function take({ name, commands }: Step, cwd: string): Promise<Taken> {
  console.log(`\n── ${name}`)
  const [beganMs, cpuS] = [performance.now(), machineCpuS()]
  const ended = await Promise.all(commands.map((command) => run(command, cwd)))
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

/** The CPU of the machine since it was `beganS`. */
export function since(beganS: number | undefined): number | undefined {
  const nowS = machineCpuS()
  return beganS === undefined || nowS === undefined ? undefined : nowS - beganS
}

interface Ended {
  command: Command
  code: number
  seed?: string
}

function run(command: Command, cwd: string): Promise<Ended> {
  return new Promise((resolve) => {
    const [program = '', ...args] = command
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] })
    let seed: string | undefined
    let tail = ''
    const pass = (to: NodeJS.WriteStream) => (chunk: Buffer) => {
      to.write(chunk)
      if (seed) return
      tail = `${tail.slice(-100)}${chunk}`
      seed = /\bseed (\d+)\b(?!$)/i.exec(tail)?.[1]
    }
    child.stdout.on('data', pass(process.stdout))
    child.stderr.on('data', pass(process.stderr))
    child.on('error', (err) => {
      console.error(err.message)
      resolve({ command, code: 127 })
    })
    child.on('exit', async (code) => {
      // The last of the output comes after the exit, but a daemon that is left may hold it open.
      await Promise.race([once(child, 'close'), delay(LAST_OUTPUT_MS)])
      resolve({ command, code: code ?? 1, seed })
    })
  })
}

/** A table of what the steps took, and of all together. */
export function tableOf(taken: readonly Taken[]): string {
  const sum = (figures: (number | undefined)[]) => figures.reduce<number>((all, one = 0) => all + one, 0)
  const total = {
    name: 'together',
    right: taken.every(({ right }) => right),
    wallS: sum(taken.map(({ wallS }) => wallS)),
    cpuS: taken.some(({ cpuS }) => cpuS === undefined) ? undefined : sum(taken.map(({ cpuS }) => cpuS)),
  }
  const rows = [...taken, total].map(({ name, right, wallS, cpuS, seed = '' }: Taken) => [
    name,
    right ? 'right' : 'MISSED',
    wallS.toFixed(1),
    cpuS?.toFixed(1) ?? '?',
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
