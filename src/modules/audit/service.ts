import type { AuditAction, AuditVerb } from '@kitlane/display/audit-action'
import { newOpaqueId } from '../../domain/ids.ts'
import type { Actor, Queries, Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { insertEntries } from './queries.ts'
import { insertWords, type Words } from './words-queries.ts'

export type { AuditAction, AuditVerb }

export interface AuditEntry {
  /** Past tense, `object.verb`: `order.placed`, `customer.erased`. */
  action: AuditAction
  objectType: string
  objectId: string
  /** Never health data, names or e-mails: identifiers only. */
  details?: Record<string, unknown>
  /** What somebody typed, which may name a person: sealed apart. Readers of the audit see it among the details. */
  words?: Words
}

/** Writes who did what, in the transaction that did it. */
export function record(tx: Tx, entries: readonly AuditEntry[]): Promise<void> {
  return write(
    tx,
    entries.map((entry) => ({ ...entry, realm: tx.realm, actor: tx.actor })),
  )
}

/** The same for entries that name their realm and who acted. */
export function recordIn(
  tx: Queries,
  entries: readonly (AuditEntry & { realm: Realm; actor: Actor })[],
): Promise<void> {
  return write(tx, entries)
}

/** The same for what was done in no business: sign-ins, the operator's staff. `actor`: where it is not the transaction's. */
export function recordSystem(
  tx: SystemTx,
  entries: readonly Omit<AuditEntry, 'words'>[],
  actor?: string,
): Promise<void> {
  const by = actor === undefined ? tx.actor : { ...tx.actor, name: actor }
  return write(
    tx,
    entries.map((entry) => ({ ...entry, actor: by })),
  )
}

async function write(tx: Queries, entries: readonly (AuditEntry & { realm?: Realm; actor: Actor })[]): Promise<void> {
  if (entries.length === 0) return
  const typedWords: { realmId: number; id: string; words: Words }[] = []
  const rows = entries.map(({ realm, actor: { name, requestId, callerRequestId, ip }, words, ...entry }) => {
    const row = { ...entry, realmId: realm?.id, actor: name, requestId, callerRequestId, ip }
    if (!words || !realm) return row
    const id = newOpaqueId('words')
    typedWords.push({ realmId: realm.id, id, words })
    return { ...row, details: { ...entry.details, words: id } }
  })
  await insertWords(tx, typedWords)
  await tx.run(insertEntries(JSON.stringify(rows), tx.now))
}
