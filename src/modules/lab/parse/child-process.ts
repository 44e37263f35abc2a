import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { Refusal } from './refusal.ts'

export interface ChildProgram {
  url: URL
  args: readonly (string | number)[]
  /** What it may do beyond reading files, as flags of Node. */
  flags?: readonly string[]
  /** Its address space, most of which it never uses; V8 alone reserves about 2. Default 6. */
  addressSpaceGb?: number
  /** Gives way to everything else on the machine. */
  isPatient?: boolean
}

export interface ChildLimits {
  timeoutMs: number
  /** Default: 2 more than `timeoutMs`. */
  maxCpuSeconds?: number
  /** Of the whole process, watched from outside: buffers are no part of V8's heap. */
  maxMemoryMb: number
  maxOutputBytes: number
}

const watchEveryMs = 50

/**
 * Gives bytes to a program of ours in a process of its own, which is gone when this returns, and returns what it wrote.
 * @throws Refusal PARSE_TIMEOUT, TOO_LARGE, PARSE_FAILED
 */
export async function runChild(program: ChildProgram, bytes: Uint8Array, limits: ChildLimits): Promise<Buffer> {
  const child = start(program, limits)
  let reason: Refusal | undefined
  const stop = (why: Refusal) => {
    reason ??= why
    child.kill('SIGKILL')
  }
  const ended = new Promise<void>((resolve) => {
    child.once('close', () => resolve())
    child.once('error', () => {
      reason ??= new Refusal('PARSE_FAILED')
      resolve()
    })
  })
  const timer = setTimeout(() => stop(new Refusal('PARSE_TIMEOUT')), limits.timeoutMs)
  const watch = setInterval(() => {
    void memoryMb(child).then((used) => {
      if (used > limits.maxMemoryMb) stop(new Refusal('TOO_LARGE'))
    })
  }, watchEveryMs)
  const output = collect(child, limits.maxOutputBytes, () => stop(new Refusal('TOO_LARGE')))
  // A child that is stopped while it reads closes the pipe: that is said by `reason`, not by this error.
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

/** No environment, so no secrets; no files but to read; no child processes; native code only where the flags say so. */
function start(program: ChildProgram, limits: ChildLimits): ChildProcess {
  const { url, args, flags = [], addressSpaceGb = 6, isPatient = false } = program
  const heapMb = Math.max(64, Math.floor(limits.maxMemoryMb * 0.75))
  const safe = ['--permission', '--allow-fs-read=*', '--disable-warning=SecurityWarning']
  const command = [`--max-old-space-size=${heapMb}`, ...safe, ...flags, fileURLToPath(url), ...args.map(String)]
  const stdio = ['pipe', 'pipe', 'ignore'] as ['pipe', 'pipe', 'ignore']
  if (process.platform === 'win32') return spawn(process.execPath, command, { stdio, env: {} })
  // Holds even if this process dies: CPU seconds, and address space in KiB.
  const { maxCpuSeconds = Math.ceil(limits.timeoutMs / 1000) + 2 } = limits
  const held = `ulimit -t ${maxCpuSeconds}; ulimit -v ${addressSpaceGb * 1024 * 1024} 2>/dev/null; ulimit -c 0`
  const exec = isPatient ? 'exec nice -n 5 "$@"' : 'exec "$@"'
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

/** Resident memory where the system tells it; 0 elsewhere, and once the process is gone. */
async function memoryMb({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

/** What a child wrote; undefined where it is no JSON: one that ran out of memory or CPU time says nothing. */
export function parseJson(output: Buffer): unknown {
  try {
    return JSON.parse(output.toString('utf8'))
  } catch {
    // The caller's schema refuses it.
    return undefined
  }
}
