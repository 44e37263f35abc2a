import { AppError } from '../../domain/errors.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { lockKit, moveKit } from './move.ts'
import { stateOf } from './records.ts'
import { type KitEvent, passesRegistration } from './rules.ts'
import type { KitRecord } from './schema.ts'

/**
 * Records what the operator's staff saw happen to a live kit; steps that were skipped are filled in. What a laboratory or
 * the person tested has to say is not the operator's to make up. @throws KIT_NOT_FOUND, ILLEGAL_TRANSITION
 */
export async function advanceKit(tx: Tx, kitId: string, to: KitEvent, reason?: string): Promise<KitRecord> {
  const kit = await lockKit(tx, kitId)
  if (tx.realm.mode === 'sandbox') {
    throw refusal('This is a sandbox kit: move it with POST /api/v1/sandbox/kits/{kitID}/advance')
  }
  if (to === 'reportReady') {
    throw refusal('A live kit becomes reportReady when a laboratory sends its results, and in no other way')
  }
  if (passesRegistration(stateOf(kit), to)) {
    throw refusal('Nobody has registered this kit: that comes first, with POST /api/v1/kits/{kitID}/register')
  }
  return moveKit(tx, kitId, to, { reason })
}

const refusal = (sentence: string) => new AppError('ILLEGAL_TRANSITION', sentence)
