import { statfs } from 'node:fs/promises'
import type { Pool } from 'pg'
import { helps } from '../modules/insights/figures/helps.ts'
import { readFigures } from '../modules/insights/figures/service.ts'
import type { Heartbeat } from '../platform/database/heartbeat.ts'
import type { Database } from '../platform/database/tx.ts'
import type { Metrics } from '../platform/http/metrics.ts'
import { VERSION } from '../platform/package-root.ts'

const ofProcess = {
  kitlane_build_info: { help: 'The running version; always 1.', labels: ['version', 'node', 'role'] },
  kitlane_ready: 'Whether this process may be given work: 1, or 0.',
  kitlane_pool_connections: { help: 'Connections of this process to the database.', labels: ['state'] },
  kitlane_pool_waiting: 'Transactions that wait for a connection.',
  kitlane_pool_max_connections: 'How many connections the pool may open.',
  kitlane_clock_offset_seconds: 'How far the clock of this machine is from the clock of the database.',
  kitlane_data_folder_free_bytes: 'Free space on the disk of the data folder.',
  kitlane_data_folder_size_bytes: 'Size of that disk.',
}

/** Shows how this process and the whole service are, besides what is counted as it happens. */
export function showFigures(
  metrics: Metrics,
  options: {
    database: Database
    pool: Pool
    heartbeat: Heartbeat
    isReady: () => boolean
    role: string
    dataDir: string | undefined
  },
): void {
  const { database, pool, heartbeat, isReady, role, dataDir } = options
  metrics.show('process', ofProcess, async () => {
    const disk = dataDir === undefined ? undefined : await statfs(dataDir)
    const idle = pool.idleCount
    const checks = isReady() ? await heartbeat.check() : undefined
    const offset = heartbeat.clockOffMs()
    return {
      kitlane_build_info: [{ labels: { version: VERSION, node: process.versions.node, role }, value: 1 }],
      kitlane_ready: checks && Object.values(checks).every(Boolean) ? 1 : 0,
      kitlane_pool_connections: [
        { labels: { state: 'idle' }, value: idle },
        { labels: { state: 'in_use' }, value: pool.totalCount - idle },
      ],
      kitlane_pool_waiting: pool.waitingCount,
      kitlane_pool_max_connections: pool.options.max ?? 0,
      ...(offset !== undefined && { kitlane_clock_offset_seconds: offset / 1000 }),
      ...(disk && {
        kitlane_data_folder_free_bytes: disk.bavail * disk.bsize,
        kitlane_data_folder_size_bytes: disk.blocks * disk.bsize,
      }),
    }
  })
  metrics.show('database', helps, () => readFigures(database))
}
