import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { Refusal, refusalCodes, reviewReasons } from './refusal.ts'

export interface ChildProgram {
  url: URL
  args: readonly (string | number)[]
  /** Flags of Node that allow it more than to read files. */
  flags?: readonly string[]
  /** Limit of the address space, most of which is never used; V8 alone reserves about 2. Default 6. */
  addressSpaceGb?: number
  /** Runs at a lower priority than everything else on the machine. */
  isLowPriority?: boolean
}

export interface ChildLimits {
  /** How long it may work. It holds on Linux and macOS, and does not count how long a busy machine lets the child wait. */
  maxCpuSeconds: number
  /** How long it may take in all: what takes longer waited for the machine. */
  timeoutMs: number
  /** Resident memory of the whole process, watched from outside: buffers are not part of V8's heap. */
  maxMemoryMb: number
  maxOutputBytes: number
}

const watchEveryMs = 50

/** The answer of a child: what it found, or why it refused the file. */
export const childAnswer = <T>(found: z.ZodType<T>) =>
  z.union([
    z.object({ found }),
    z.object({
      code: z.enum(refusalCodes),
      needsReview: z.enum(reviewReasons).optional(),
      layout: z.string().optional(),
    }),
  ])

/**
 * Runs a program of ours on some bytes, in a process that has ended when this returns.
 * @throws Refusal of the child, or PARSE_TIMEOUT, TOO_LARGE, PARSE_FAILED, BUSY if the machine had no time for it
 */
export async function askChild<T>(
  program: ChildProgram,
  bytes: Uint8Array,
  limits: ChildLimits,
  answer: ReturnType<typeof childAnswer<T>>,
): Promise<T> {
  const { success, data } = answer.safeParse(parseJson(await runChild(program, bytes, limits)))
  if (!success) throw new Refusal('PARSE_FAILED')
  if ('code' in data) throw new Refusal(data.code, data.needsReview, data.layout)
  return data.found
}

async function runChild(program: ChildProgram, bytes: Uint8Array, limits: ChildLimits): Promise<Buffer> {
  const child = start(program, limits)
  let reason: Refusal | undefined
  const stop = (why: Refusal) => {
    reason ??= why
    child.kill('SIGKILL')
  }
  const ended = new Promise<void>((resolve) => {
    child.once('close', (_, signal) => {
      if (signal === 'SIGXCPU') reason ??= new Refusal('PARSE_TIMEOUT')
      resolve()
    })
    child.once('error', () => {
      reason ??= new Refusal('PARSE_FAILED')
      resolve()
    })
  })
  const timer = setTimeout(() => stop(new Refusal('BUSY')), limits.timeoutMs)
  const watch = setInterval(() => {
    void memoryMb(child).then((used) => {
      if (used > limits.maxMemoryMb) stop(new Refusal('TOO_LARGE'))
    })
  }, watchEveryMs)
  const output = collect(child, limits.maxOutputBytes, () => stop(new Refusal('TOO_LARGE')))
  // A child that is stopped while it reads closes the pipe: `reason` tells why, this error does not.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(bytes)
  try {
    await ended
  } finally {
    clearTimeout(timer)
    clearInterval(watch)
  }
  if (reason) throw reason
  return Buffer.concat(output)
}

/** The child has no environment, so no secrets. It reads files, starts no processes, and runs native code only if flags allow it. */
function start(program: ChildProgram, limits: ChildLimits): ChildProcess {
  const { url, args, flags = [], addressSpaceGb = 6, isLowPriority = false } = program
  const heapMb = Math.max(64, Math.floor(limits.maxMemoryMb * 0.75))
  const safe = ['--permission', '--allow-fs-read=*', '--disable-warning=SecurityWarning']
  const command = [`--max-old-space-size=${heapMb}`, ...safe, ...flags, fileURLToPath(url), ...args.map(String)]
  const stdio = ['pipe', 'pipe', 'ignore'] as ['pipe', 'pipe', 'ignore']
  if (process.platform === 'win32') return spawn(process.execPath, command, { stdio, env: {} })
  // These limits hold even if this process dies: CPU seconds, and address space in KiB.
  const cpu = Math.ceil(limits.maxCpuSeconds)
  // The softer limit sends SIGXCPU, which says why the child ended.
  const held = `ulimit -H -t ${cpu + 2}; ulimit -S -t ${cpu}; ulimit -v ${addressSpaceGb * 1024 * 1024} 2>/dev/null; ulimit -c 0`
  const exec = isLowPriority ? 'exec nice -n 5 "$@"' : 'exec "$@"'
  return spawn('/bin/sh', ['-c', `${held}; ${exec}`, 'sh', process.execPath, ...command], { stdio, env: {} })
}

function collect(child: ChildProcess, maxBytes: number, onTooMuch: () => void): Buffer[] {
  const chunks: Buffer[] = []
  let size = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxBytes) onTooMuch()
    else chunks.push(chunk)
  })
  return chunks
}

/** Resident memory on Linux; 0 elsewhere, and when the process has ended. */
async function memoryMb({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

/** The child's output; undefined if it is not JSON: a child that ran out of memory or CPU time writes nothing. */
function parseJson(output: Buffer): unknown {
  try {
    return JSON.parse(output.toString('utf8'))
  } catch {
    // The schema of the answer refuses it.
    return undefined
  }
}
