import type { Realm, SystemTx } from '../../platform/database/tx.ts'
import { selectRealmOfKit } from './queries.ts'
import { kitNotFound } from './records.ts'

/** The realm of a kit: whoever holds a box does not know its business. @throws KIT_NOT_FOUND */
export async function realmOfKit(tx: SystemTx, kitId: string): Promise<Realm> {
  const realm = await selectRealmOfKit(tx, kitId)
  if (!realm) throw kitNotFound()
  return realm
}
