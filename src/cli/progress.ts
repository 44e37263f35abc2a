import type { BackupProgress } from '../domain/backups.ts'

/** Shows on a terminal how far a copy is, on one line that is written again; silent elsewhere. */
export function progressLine(verb: string): { show(now: BackupProgress): void; end(): void } {
  const { stderr } = process
  let shown = ''
  return {
    show({ table, done, tables, percent, bytes }) {
      if (!stderr.isTTY) return
      const share = percent === undefined ? '' : `${String(percent).padStart(3)} %, `
      const line = `${verb}: ${share}${megabytes(bytes)}, table ${Math.min(done + 1, tables)} of ${tables}: ${table}`
      if (line === shown) return
      shown = line
      stderr.write(`\r\u001b[2K${line.slice(0, Math.max(20, stderr.columns - 1))}`)
    },
    end() {
      if (shown) stderr.write('\r\u001b[2K')
    },
  }
}

// Few enough for a log, often enough to see that it goes on.
const LINE_MS = 5000

/**
 * Shows how far a verification is: on a terminal on one line that is written again, elsewhere as a line of JSON each five
 * seconds, on standard error.
 */
export function verifyingLine(what: 'audit' | 'ledger'): { show(percent: number): void; end(): void } {
  const { stderr } = process
  let reportedAt = performance.now()
  return {
    show(percent) {
      if (stderr.isTTY) return void stderr.write(`\r\u001b[2KVerifying the ${what}: ${percent} %`)
      if (performance.now() - reportedAt < LINE_MS) return
      reportedAt = performance.now()
      stderr.write(`${JSON.stringify({ verifying: what, percent })}\n`)
    },
    end() {
      if (stderr.isTTY) stderr.write('\r\u001b[2K')
    },
  }
}

export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
