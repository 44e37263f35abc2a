import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export interface ChildProgram {
  url: URL
  args?: readonly (string | number)[]
  /** Flags of Node that allow it more than to read files. */
  flags?: readonly string[]
  /** Limit of the address space, most of which is never used; V8 alone reserves about 2. Default 6. */
  addressSpaceGb?: number
  /** Runs at a lower priority than everything else on the machine. */
  isLowPriority?: boolean
  /** After each use, a process is started for the next one. */
  isKeptReady?: boolean
}

export interface StartLimits {
  /** How long it may work. It holds on Linux and macOS, and does not count how long a busy machine lets the child wait. */
  maxCpuSeconds: number
  /** Resident memory of the whole process, watched from outside: buffers are not part of V8's heap. */
  maxMemoryMb: number
}

export interface ChildPrograms {
  /** Where a program is. */
  locate(url: URL): URL
  /** Answers instead of the process that would be kept ready: a new one takes 0.2 s of CPU for each file. */
  answer?(bytes: Uint8Array): Promise<Buffer>
}

/** Programs are beside the sources. Tests set what saves them time. */
export const childPrograms: ChildPrograms = { locate: (url) => url }

interface Spare {
  command: string
  child: ChildProcess
  idle: NodeJS.Timeout
}

// It holds 45 MB meanwhile.
const IDLE_MS = 3 * 60_000
const spares = new Map<string, Spare>()

/** Starts a program of ours. Its process reads one file and ends. */
export function startChild(program: ChildProgram, limits: StartLimits): ChildProcess {
  const [command = '', ...args] = commandOf(program, limits)
  // It has no environment, so no secrets.
  return spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'], env: {} })
}

/** The process that waits for a file, if one was started with the same limits. */
export function takeSpare(program: ChildProgram, limits: StartLimits): ChildProcess | undefined {
  const spare = spares.get(program.url.href)
  if (!spare) return undefined
  forget(program, spare)
  if (spare.command !== nameOf(program, limits)) {
    spare.child.kill('SIGKILL')
    return undefined
  }
  for (const handle of handlesOf(spare.child)) handle.ref()
  return spare.child
}

/** Starts the process that the next file is given to. It keeps this process from nothing, and ends with it. */
export function keepSpare(program: ChildProgram, limits: StartLimits): void {
  if (spares.has(program.url.href)) return
  const child = startChild(program, limits)
  const idle = setTimeout(() => child.kill('SIGKILL'), IDLE_MS)
  const spare = { command: nameOf(program, limits), child, idle }
  spares.set(program.url.href, spare)
  const gone = () => forget(program, spare)
  child.once('error', gone).once('exit', gone)
  for (const handle of [idle, ...handlesOf(child)]) handle.unref()
}

function forget(program: ChildProgram, spare: Spare): void {
  clearTimeout(spare.idle)
  if (spares.get(program.url.href) === spare) spares.delete(program.url.href)
}

const handlesOf = (child: ChildProcess) =>
  [child, child.stdin, child.stdout].filter((one) => one !== null) as { ref(): void; unref(): void }[]

const nameOf = (program: ChildProgram, limits: StartLimits) => JSON.stringify(commandOf(program, limits))

/** It reads files, starts no processes, and runs native code only if flags allow it. */
function commandOf(program: ChildProgram, limits: StartLimits): string[] {
  const { url, args = [], flags = [], addressSpaceGb = 6, isLowPriority = false } = program
  const heapMb = Math.max(64, Math.floor(limits.maxMemoryMb * 0.75))
  const safe = ['--permission', '--allow-fs-read=*', '--disable-warning=SecurityWarning']
  const path = fileURLToPath(childPrograms.locate(url))
  const command = [process.execPath, `--max-old-space-size=${heapMb}`, ...safe, ...flags, path, ...args.map(String)]
  if (process.platform === 'win32') return command
  // These limits hold even if this process dies: CPU seconds, and address space in KiB.
  const cpu = Math.ceil(limits.maxCpuSeconds)
  // The softer limit sends SIGXCPU, which says why the child ended.
  const held = `ulimit -H -t ${cpu + 2}; ulimit -S -t ${cpu}; ulimit -v ${addressSpaceGb * 1024 * 1024} 2>/dev/null; ulimit -c 0`
  const exec = isLowPriority ? 'exec nice -n 5 "$@"' : 'exec "$@"'
  return ['/bin/sh', '-c', `${held}; ${exec}`, 'sh', ...command]
}
