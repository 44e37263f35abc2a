// Runs the service as `kitlane start` does, on a database of the benchmark. Without `groupCommit`, each order has its
// own transaction.

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
  const { url, stop } = await startService({
    urls,
    log,
    settings: usualSettings({
      role,
      port: 0,
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
