import type { Realm, SystemTx } from '../../platform/database/tx.ts'
import { selectRealmOfKit } from './queries.ts'
import { kitNotFound } from './records.ts'

/** The realm of a kit, for callers who know only the ID on the box. @throws KIT_NOT_FOUND */
export async function realmOfKit(tx: SystemTx, kitId: string): Promise<Realm> {
  const realm = await selectRealmOfKit(tx, kitId)
  if (!realm) throw kitNotFound()
  return realm
}
