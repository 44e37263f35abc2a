import { readFileSync } from 'node:fs'

const SAMPLE_MS = 2

export interface LoopWatch {
  /** The longest, in milliseconds, that this thread computed before others had their turn. */
  stop(): number
}

/** Measures the thread's own CPU time, so that a busy machine, which only makes it wait, changes nothing. */
export function watchLoop(): LoopWatch {
  let longest = 0
  let last = ownCpuMs()
  const look = () => {
    const now = ownCpuMs()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, SAMPLE_MS)
  return {
    stop() {
      clearInterval(timer)
      look()
      return longest
    },
  }
}

export function ownCpuMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

const PIECE = Array.from({ length: 20_000 }, (_, n) => ({ n, name: `Marker ${n}`, unit: 'mg/dL' }))
/** What the piece costs where the limits were set, in milliseconds of CPU time: the best of ten of 10.5 to 21. */
const PIECE_MS = 10.5

/** How many times slower than where the limits were set this machine computes just now, at least 1. */
export function slowness(): number {
  const tries = Array.from({ length: 5 }, () => {
    const from = ownCpuMs()
    JSON.parse(JSON.stringify(PIECE))
    return ownCpuMs() - from
  })
  return Math.max(1, Math.min(...tries) / PIECE_MS)
}

/** Holds up everything else in this thread. */
export function compute(ms: number): void {
  for (const until = ownCpuMs() + ms; ownCpuMs() < until; );
}

/** What the children that have ended computed, whatever else the machine does. The kernel counts in hundredths of a second. */
export function childrenCpuMs(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * 10
}
