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
