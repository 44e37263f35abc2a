import type { ChildProcess } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { Refusal, refusalCodes, reviewReasons } from './refusal.ts'
import { type ChildProgram, childPrograms, keepSpare, type StartLimits, startChild, takeSpare } from './start-child.ts'

export interface ChildLimits extends StartLimits {
  /** How long it may take in all: what takes longer waited for the machine. */
  timeoutMs: number
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
  if (program.isKeptReady && childPrograms.answer) return childPrograms.answer(bytes)
  try {
    const spare = program.isKeptReady && takeSpare(program, limits)
    // A spare may have been killed while it waited.
    const output = spare && (await readFrom(spare, bytes, limits))
    return output || (await readFrom(startChild(program, limits), bytes, limits)) || Buffer.alloc(0)
  } finally {
    if (program.isKeptReady) keepSpare(program, limits)
  }
}

/** What the child wrote, once it has ended; undefined if it ended before it had read the bytes, which it says first. */
async function readFrom(child: ChildProcess, bytes: Uint8Array, limits: ChildLimits): Promise<Buffer | undefined> {
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
  return output.length > 0 ? Buffer.concat(output) : undefined
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
