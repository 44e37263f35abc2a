import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Running, runKitlane, spawnKitlane } from '../../test/harness/kitlane.ts'
import type { Machines } from './machines.ts'

/** A node of the service, started again whenever it ends, as systemd does. */
export interface ServiceNode {
  name: string
  url: string
  start(): void
  /** SIGTERM, and started again: by another launcher from then on, if one is given. Resolves when it is ready. */
  roll(next?: Release): Promise<void>
  untilReady(): Promise<void>
  /** Ends that nobody asked for. */
  crashes: string[]
  stop(): Promise<void>
}

/** What a node runs: the launcher of a checkout, with its settings. */
export interface Release {
  launcher: string
  env: Record<string, string>
  args: readonly string[]
}

const READY_MS = 240_000

export function serviceNode(
  on: Machines,
  { name, role, last }: { name: string; role: 'api' | 'worker'; last: number },
  release: Release,
): ServiceNode {
  const host = on.address(last)
  const url = `http://${host}:8080`
  const log = createWriteStream(join(on.folder, `${name}.log`), { flags: 'a' })
  const crashes: string[] = []
  let current = release
  let life: Running | undefined
  let requested: Running | undefined
  let isOver = false

  function start(): void {
    const { launcher, env, args } = current
    const given = [
      'start',
      '--role',
      role,
      '--host',
      host,
      '--port',
      '8080',
      '--data',
      join(on.folder, 'data'),
      ...args,
    ]
    const started = spawnKitlane(given, env, on.folder, { launcher })
    life = started
    started.child.stdout?.pipe(log, { end: false })
    started.child.stderr?.pipe(log, { end: false })
    void started.ended.then(async ({ code, stderr }) => {
      if (requested === started && code === 0) return
      crashes.push(`${name} ended with ${code}: ${stderr.slice(-500)}`)
      await delay(500)
      if (!isOver && requested !== started) start()
    })
  }

  async function end(): Promise<void> {
    requested = life
    life?.child.kill('SIGTERM')
    await life?.ended
  }

  async function untilReady(): Promise<void> {
    for (const deadline = performance.now() + READY_MS; ; await delay(100)) {
      const limit = { signal: AbortSignal.timeout(3000) }
      const answer = await fetch(`${url}/health/ready`, limit).catch(() => undefined)
      if (answer?.status === 200) return
      if (performance.now() > deadline)
        throw new Error(`${name} is not ready: ${await answer?.text()} ${crashes.join('\n')}`)
    }
  }

  return {
    name,
    url,
    start,
    async roll(next = current) {
      await end()
      current = next
      start()
      await untilReady()
    },
    untilReady,
    crashes,
    async stop() {
      isOver = true
      await end()
      log.end()
    },
  }
}

/** Runs a command with these settings. @throws if it fails */
export async function command(on: Machines, { launcher, env }: Release, ...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runKitlane(args, env, on.folder, { launcher })
  if (code !== 0) throw new Error(`kitlane ${args.join(' ')} ended with ${code}:\n${stdout}${stderr}`)
  return stdout
}
