import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openEmbedded } from '../../src/platform/database/embedded/cluster.ts'
import { prepareDatabase } from '../../src/service/app.ts'
import { root } from './sources.ts'

export const ROW_TYPES = 'src/platform/database/schema.gen.ts'

/** Writes the row types of a migrated database, as its owner sees it. */
export async function writeRowTypes(ownerUrl: string, file: string): Promise<void> {
  const generator = join(root, 'node_modules/kysely-codegen/dist/cli/bin.js')
  const options = [
    ...['--dialect', 'postgres', '--url', ownerUrl, '--out-file', file],
    ...['--date-parser', 'string', '--type-mapping', '{"int8":"number"}', '--exclude-pattern', 'pgboss.*'],
  ]
  await promisify(execFile)(process.execPath, [generator, ...options], { cwd: root })
}

// `npm run generate:rows` uses a new database with the current migrations.
if (import.meta.main) {
  const dataDir = await mkdtemp(join(tmpdir(), 'kitlane-rows-'))
  const cluster = await openEmbedded({ dataDir })
  try {
    await prepareDatabase({ owner: cluster.ownerUrl, app: cluster.appUrl, direct: cluster.appUrl })
    await writeRowTypes(cluster.ownerUrl, join(root, ROW_TYPES))
  } finally {
    await cluster.stop()
    await rm(dataDir, { recursive: true })
  }
}
