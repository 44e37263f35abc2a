import { askChild, childAnswer } from './ask-child.ts'
import { frame } from './frame.ts'
import type { Layout } from './layout.ts'
import { ParsedFile } from './parsed.ts'
import { Refusal } from './refusal.ts'
import { sniff, unsupported } from './sniff.ts'

export interface ParseInChildLimits {
  /** Waits until one more file may be parsed, and returns what says that it has been. Default: at once. */
  enter?: () => Promise<() => void>
  maxCpuSeconds?: number
  timeoutMs?: number
  maxPages?: number
  maxMemoryMb?: number
  maxBytes?: number
  /** Layout templates, of which one may be used. */
  layouts?: readonly Layout[]
}

const MIB = 1024 ** 2
/** 25 MiB of text take 7 s of an idle machine. */
const cpuSecondsOf = (bytes: number) => 8 + 2 * Math.ceil(bytes / MIB)

// A file is not refused because the machine is busy.
const BUSY_TIMES = 8

const defaults = { maxPages: 100, maxMemoryMb: 512, maxBytes: 25 * MIB }

const maxOutputBytes = 5 * MIB

const answer = childAnswer(ParsedFile)

/**
 * Parses a file in a process of its own, which has ended when this returns.
 * @throws Refusal: UNSUPPORTED_FORMAT, TOO_LARGE, TOO_MANY_PAGES, PARSE_TIMEOUT, PARSE_FAILED, NOTHING_FOUND,
 * NEEDS_REVIEW (scan, image, layout), BUSY
 */
export async function parseInChild(bytes: Uint8Array, limits: ParseInChildLimits = {}): Promise<ParsedFile> {
  const maxCpuSeconds = cpuSecondsOf(bytes.byteLength)
  const timeoutMs = BUSY_TIMES * maxCpuSeconds * 1000
  const { enter, maxPages, maxBytes, layouts = [], ...rest } = { ...defaults, maxCpuSeconds, timeoutMs, ...limits }
  if (bytes.byteLength > maxBytes) throw new Refusal('TOO_LARGE')
  const format = sniff(bytes)
  if (format === 'image') throw new Refusal('NEEDS_REVIEW', 'image')
  if (format === 'zip' || format === 'unknown') throw unsupported(bytes)
  const leave = await enter?.()
  try {
    // Larger files have another limit of CPU time, and are rare.
    const program = { url: new URL('./child.ts', import.meta.url), isKeptReady: bytes.byteLength <= MIB }
    const fitting = layouts.filter((layout) => layout.format === format)
    return await askChild(program, frame(bytes, { maxPages, layouts: fitting }), { ...rest, maxOutputBytes }, answer)
  } finally {
    leave?.()
  }
}
