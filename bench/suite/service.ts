// Runs the service as `kitlane start` does, on a database of the benchmark. Without `groupCommit`, each order has its
// own transaction.

import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routesFor } from '../../src/modules/index.ts'
import type { DatabaseUrls } from '../../src/platform/database/connect.ts'
import { createLogger } from '../../src/platform/log.ts'
import { startService } from '../../src/service/app.ts'
import { usualSettings } from '../../src/settings.ts'

export interface StartMessage {
  urls: DatabaseUrls
  groupCommit: boolean
  role: 'all' | 'api'
  /** Base64. */
  encryptionKey: string
}

process.once('message', async ({ urls, groupCommit, role, encryptionKey }: StartMessage) => {
  if (!groupCommit) for (const route of routesFor('business')) delete route.groupCommit
  const log = createLogger({ level: 'warn' })
  // One for each database, which all its nodes share.
  const dataDir = join(
    tmpdir(),
    `kitlane-bench-data-${createHash('sha256').update(urls.owner).digest('hex').slice(0, 16)}`,
  )
  mkdirSync(dataDir, { recursive: true })
  const { url, stop } = await startService({
    urls,
    log,
    settings: usualSettings({
      role,
      port: 0,
      dataDir,
      encryptionKey: Buffer.from(encryptionKey, 'base64'),
      allowLoopbackWebhooks: true,
      slowStatementMs: 0,
    }),
  })
  process.once('SIGTERM', async () => {
    await stop()
    process.exit()
  })
  process.send?.(Number(new URL(url).port))
})
