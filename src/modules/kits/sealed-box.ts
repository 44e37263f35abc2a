import { isKitId, normalizeId } from '@kitlane/display/short-id'
import type { Tx } from '../../platform/database/tx.ts'
import { maybeFindKitOfBox } from '../stock/find.ts'

/** The ID of a kit of this realm that is named by it, or by the code of its sealed box. What means no box stays as it is. */
export async function kitIdOf(tx: Tx, text: string): Promise<string> {
  if (isKitId(text)) return normalizeId(text)
  return (await maybeFindKitOfBox(tx, text)) ?? normalizeId(text)
}
