import { setTimeout as delay } from 'node:timers/promises'
import { command } from './nodes.ts'
import type { Stack } from './stack.ts'

export interface Event {
  name: string
  /** Does it, and resolves when nothing remains to be done by hand. What follows has to recover by itself. */
  strike(stack: Stack): Promise<void>
}

const PARTS_BACK_MS = 2000
const TAKEN_OVER_WITHIN_MS = 120_000

/** What is usual on this machine. */
export const nothing: Event = { name: '5 s without an event', strike: () => delay(5000) }

/** An upgrade as docs/migrations.md describes it: the owner migrates, then the nodes are replaced one by one. */
export const upgradeTo = (launcher: string): Event => ({
  name: 'rolling upgrade',
  async strike(stack) {
    await command(stack.machines, stack.asOwner(launcher), 'migrate')
    await rollAll(stack, launcher)
  },
})

export const restart = (launcher: string): Event => ({
  name: 'rolling restart',
  strike: (stack) => rollAll(stack, launcher),
})

async function rollAll(stack: Stack, launcher: string): Promise<void> {
  for (const node of stack.nodes) {
    await node.roll(stack.asNode(launcher))
    await stack.untilBalanced()
  }
}

export const switchover: Event = { name: 'switchover', strike: ({ database }) => database.switchOver() }

export const postgresKilled: Event = {
  name: 'PostgreSQL of the primary killed',
  async strike({ database }) {
    const lost = await database.primary()
    await lost.killPostgres()
    await untilAnother(database.primary, lost.name)
  },
}

export const machineKilled: Event = {
  name: 'machine of the primary killed',
  async strike({ database }) {
    const lost = await database.primary()
    await lost.kill()
    await untilAnother(database.primary, lost.name)
    lost.start()
  },
}

/** The primary goes on while no standby hears it, and is killed then. */
export const streamsStopped: Event = {
  name: 'primary killed after its streams',
  async strike({ database }) {
    const lost = await database.primary()
    const release = await database.stopStreams()
    await delay(3000)
    await lost.kill()
    release()
    await untilAnother(database.primary, lost.name)
    lost.start()
  },
}

export const pgbouncerKilled: Event = {
  name: 'PgBouncer killed for 2 s',
  async strike({ pgbouncer }) {
    await pgbouncer.kill()
    await delay(PARTS_BACK_MS)
    pgbouncer.start()
  },
}

async function untilAnother(primary: () => Promise<{ name: string }>, than: string): Promise<void> {
  for (const deadline = performance.now() + TAKEN_OVER_WITHIN_MS; (await primary()).name === than; await delay(200)) {
    if (performance.now() > deadline) throw new Error('no standby took over')
  }
}
