import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { killTree } from '../process-tree.ts'
import type { Machines } from './machines.ts'

/** A program of Debian that the proof runs: HAProxy, PgBouncer, Patroni, etcd. */
export interface Part {
  start(): void
  /** Kills it with its children, as a power cut does. */
  kill(): Promise<void>
  /** Whether it runs. */
  runs(): boolean
}

export function part(machines: Machines, name: string, command: string, args: readonly string[]): Part {
  let child: ChildProcess | undefined
  const log = join(machines.folder, `${name}.log`)
  return {
    start() {
      const file = openSync(log, 'a')
      // As on a system of Debian's: what shells of developers put in front of its Python is left out.
      const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' }
      const started = spawn(command, args, {
        ...machines.account,
        env,
        cwd: machines.folder,
        stdio: ['ignore', file, file],
      })
      closeSync(file)
      started.on('error', (err) => console.error(`${name}: ${err.message}`))
      started.on('exit', () => {
        if (child === started) child = undefined
      })
      child = started
    },
    async kill() {
      const pid = child?.pid
      child = undefined
      if (pid !== undefined) await killTree(pid)
    },
    runs: () => child !== undefined,
  }
}
