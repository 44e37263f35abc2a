// Runs the frozen peer of bench/peer on the server of the bench.
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { CpuCost } from './cpu.ts'
import type { Environment } from './environment.ts'
import { findPgbench, runPgbench } from './pgbench.ts'
import { runStatements } from './run-statements.ts'

const SCRIPTS = { 1: 'one-business.sql', 50: 'fifty-businesses.sql' } as const

export type PeerBusinesses = keyof typeof SCRIPTS

export interface Peer {
  superUrl: string
  run(options: {
    businesses: PeerBusinesses
    clients: 8 | 32
    seconds: number
  }): Promise<{ rate: number; cpu: CpuCost }>
}

/** Undefined without pgbench. */
export async function openPeer(environment: Environment): Promise<Peer | undefined> {
  const program = await findPgbench()
  if (!program) return undefined
  const superUrl = await environment.emptyDatabase('bench_peer')
  await runStatements(superUrl, await readFile(inPeer('schema.sql'), 'utf8'))
  return {
    superUrl,
    run: ({ businesses, ...options }) =>
      runPgbench({
        program,
        superUrl,
        ...options,
        script: inPeer(SCRIPTS[businesses]),
        postmaster: environment.pid(),
      }),
  }
}

const inPeer = (name: string) => fileURLToPath(new URL(`../peer/${name}`, import.meta.url))
