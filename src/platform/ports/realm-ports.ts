import type { Mailer } from '../../domain/mailer.ts'
import type { Gateway } from '../../domain/payment-gateway.ts'
import type { Actor, Database, Mode, Realm, Tx } from '../database/tx.ts'

/** What reaches beyond the database. There is one set for each mode: sandbox work never holds a live one. */
export interface Effects {
  gateway: Gateway
  /** Undefined: e-mails are kept. The sandbox never has one. */
  mailer?: Mailer
  /** Fetches a file from a host that the operator allows. @throws AppError VALIDATION_FAILED for any other */
  fetchFile(url: string, maxBytes: number): Promise<{ mediaType: string; content: Buffer }>
}

export type EffectsOf = (mode: Mode) => Effects

/** Where a verb stands that talks to other systems: between transactions of one realm, never inside one. */
export interface Outside {
  realm: Realm
  actor: Actor
  effects: Effects
  /** Opens a transaction of the realm. */
  open<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

export function outside(database: Database, effectsOf: EffectsOf, realm: Realm, actor: Actor): Outside {
  return { realm, actor, effects: effectsOf(realm.mode), open: (work) => database.inRealm(realm, actor, work) }
}
