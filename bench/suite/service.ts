// Runs the service as `kitlane start` does, on a database of the benchmark. Without `groupCommit`, each order has its
// own transaction.
import { randomBytes } from 'node:crypto'
import { startService } from '../../src/app.ts'
import { routesFor } from '../../src/modules/index.ts'
import type { DatabaseUrls } from '../../src/platform/database/connect.ts'
import { createLogger } from '../../src/platform/log.ts'

export interface StartMessage {
  urls: DatabaseUrls
  groupCommit: boolean
}

process.once('message', async ({ urls, groupCommit }: StartMessage) => {
  if (!groupCommit) for (const route of routesFor('business')) delete route.groupCommit
  const log = createLogger({ level: 'warn' })
  const { url, stop } = await startService({
    urls,
    host: '127.0.0.1',
    port: 0,
    role: 'all',
    log,
    reach: { encryptionKey: randomBytes(32) },
  })
  process.once('SIGTERM', async () => {
    await stop()
    process.exit()
  })
  process.send?.(Number(new URL(url).port))
})
