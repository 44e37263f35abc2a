import type { Actor, Database } from '../../../platform/database/tx.ts'
import type { VerifyOptions } from '../../../platform/database/verification.ts'
import { verifyAnchors } from '../../audit/anchors.ts'
import { verifyAuditInBatches } from '../../audit/verify.ts'
import { raise } from './service.ts'

/** Recomputes seals and anchors, and raises an alarm if one does not fit. Returns what is broken. */
export async function verifyNightly(
  database: Database,
  actor: Actor,
  options: VerifyOptions,
): Promise<string | undefined> {
  const seals = await verifyAuditInBatches(database, actor, options)
  const brokenAt = seals.brokenAt ?? (await database.asSystem(actor, (tx) => verifyAnchors(tx, []))).brokenAt
  // A separate transaction: the verification may run for minutes, and one that has written delays the feed of events.
  if (brokenAt) await database.asSystem(actor, (tx) => raise(tx, { kind: 'broken_seal', subject: brokenAt, amount: 1 }))
  return brokenAt
}
