import { type ChildProcess, spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { ParsedFile } from './parse/parsed.ts'
import { Refusal, RefusalCode, ReviewReason } from './parse/refusal.ts'
import { sniff } from './parse/sniff.ts'

export interface ChildLimits {
  timeoutMs?: number
  maxPages?: number
  /** Of the whole process, watched from outside: buffers are no part of V8's heap. */
  maxMemoryMb?: number
  maxBytes?: number
}

const defaults = { timeoutMs: 8_000, maxPages: 100, maxMemoryMb: 512, maxBytes: 10 * 1024 * 1024 }

const maxAtOnce = 2
const maxWaiting = 20
const maxOutputBytes = 5 * 1024 * 1024
const watchEveryMs = 50

const Answer = z.union([
  z.object({ file: ParsedFile }),
  z.object({ code: RefusalCode, needsReview: ReviewReason.optional() }),
])

let running = 0
const waiting: (() => void)[] = []

/**
 * Reads an uploaded file in a process of its own, which is gone when this returns. At most 2 run at once and 20 wait.
 * @throws Refusal: UNSUPPORTED_FORMAT, TOO_LARGE, TOO_MANY_PAGES, PARSE_TIMEOUT, PARSE_FAILED, NOTHING_FOUND,
 * NEEDS_REVIEW (scan, image, layout), BUSY
 */
export async function parseInChild(bytes: Uint8Array, limits: ChildLimits = {}): Promise<ParsedFile> {
  const all = { ...defaults, ...limits }
  refuseEarly(bytes, all.maxBytes)
  await enter()
  try {
    return await run(bytes, all)
  } finally {
    leave()
  }
}

/** What needs no process to be told. */
function refuseEarly(bytes: Uint8Array, maxBytes: number): void {
  if (bytes.byteLength > maxBytes) throw new Refusal('TOO_LARGE')
  const format = sniff(bytes)
  if (format === 'image') throw new Refusal('NEEDS_REVIEW', 'image')
  if (format === 'zip' || format === 'unknown') throw new Refusal('UNSUPPORTED_FORMAT')
}

async function enter(): Promise<void> {
  if (running < maxAtOnce) {
    running++
    return
  }
  if (waiting.length >= maxWaiting) throw new Refusal('BUSY')
  // The one that leaves hands over its place, so `running` stays as it is.
  await new Promise<void>((resolve) => waiting.push(resolve))
}

function leave(): void {
  const next = waiting.shift()
  if (next) next()
  else running--
}

async function run(bytes: Uint8Array, limits: Required<ChildLimits>): Promise<ParsedFile> {
  const child = start(limits)
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
  const output = collect(child, () => stop(new Refusal('TOO_LARGE')))
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
  return read(Buffer.concat(output))
}

/** No environment, so no secrets; no files but to read; no child processes, no native code. */
function start({ maxPages, maxMemoryMb, timeoutMs }: Required<ChildLimits>): ChildProcess {
  const program = fileURLToPath(new URL('./parse/child.ts', import.meta.url))
  const heapMb = Math.max(64, Math.floor(maxMemoryMb * 0.75))
  const flags = [
    `--max-old-space-size=${heapMb}`,
    '--permission',
    '--allow-fs-read=*',
    '--disable-warning=SecurityWarning',
  ]
  const command = [process.execPath, ...flags, program, String(maxPages)]
  const stdio = ['pipe', 'pipe', 'ignore'] as ['pipe', 'pipe', 'ignore']
  if (process.platform === 'win32') return spawn(process.execPath, command.slice(1), { stdio, env: {} })
  // Holds even if this process dies: CPU seconds, and address space in KiB of which V8 alone reserves about 2 GiB.
  const limits = `ulimit -t ${Math.ceil(timeoutMs / 1000) + 2}; ulimit -v 6291456 2>/dev/null; ulimit -c 0; exec "$@"`
  return spawn('/bin/sh', ['-c', limits, 'sh', ...command], { stdio, env: {} })
}

function collect(child: ChildProcess, onTooMuch: () => void): Buffer[] {
  const chunks: Buffer[] = []
  let size = 0
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > maxOutputBytes) onTooMuch()
    else chunks.push(chunk)
  })
  return chunks
}

/** Resident memory where the system tells it; 0 elsewhere, and once the process is gone. */
async function memoryMb({ pid }: ChildProcess): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'latin1').catch(() => '')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
}

function read(output: Buffer): ParsedFile {
  const answer = Answer.safeParse(parseJson(output.toString('utf8')))
  if (!answer.success) throw new Refusal('PARSE_FAILED')
  if ('file' in answer.data) return answer.data.file
  throw new Refusal(answer.data.code, answer.data.needsReview)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A process that ran out of memory or CPU time says nothing.
    return undefined
  }
}
