import { sealBatch, sealedTablesIn } from '../../src/modules/keys/service.ts'
import type { DatabaseUrls } from '../../src/platform/database/connect.ts'
import { valueName } from '../../src/platform/sealing/sealed-columns.ts'
import { openDatabase } from '../../src/service/open.ts'
import { usualSettings } from '../../src/settings.ts'

const actor = { name: 'bench' }

/** Seals what was written in clear by set, as the service's job does, but without its pauses and before anything is measured. */
export async function sealAll(urls: DatabaseUrls, encryptionKey: Buffer): Promise<void> {
  const { database, close } = await openDatabase(urls, { settings: usualSettings({ encryptionKey }) })
  try {
    for (const table of sealedTablesIn(database)) {
      const name = `bench ${valueName(table.declaration)}`
      while ((await sealBatch(database, actor, table, name)).more);
    }
  } finally {
    await close()
  }
}
