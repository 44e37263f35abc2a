import type { Tx } from '../../platform/database/tx.ts'
import type { Brand } from '../emails/layout.ts'
import { selectBrand } from '../emails/queries.ts'

/** The letterhead of a page: the business's brand, and whether its realm is a sandbox. */
export interface Paper extends Brand {
  isTest: boolean
}

export async function paperOf(tx: Tx): Promise<Paper> {
  return { ...(await selectBrand(tx)), isTest: tx.realm.mode === 'sandbox' }
}
