import type { Mailer } from '../../domain/mailer.ts'
import type { Gateway } from '../../domain/payment-gateway.ts'
import type { Actor, Database, Mode, Realm, Tx } from '../database/tx.ts'

/** The other systems that a mode may reach. Each mode has its own: sandbox work never holds a live port. */
export interface Ports {
  gateway: Gateway
  /** Undefined: e-mails are kept. The sandbox never has one. */
  mailer?: Mailer
  /** Fetches a file from a host that the operator allows. @throws AppError VALIDATION_FAILED for any other */
  fetchFile(url: string, maxBytes: number): Promise<{ mediaType: string; content: Buffer }>
}

export type PortsOf = (mode: Mode) => Ports

/** What a verb that talks to other systems works with: the ports of one realm, and transactions of it. No call to a port stands inside a transaction. */
export interface RealmPorts extends Ports {
  realm: Realm
  actor: Actor
  /** Opens a transaction of the realm. */
  open<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

export function realmPorts(database: Database, portsOf: PortsOf, realm: Realm, actor: Actor): RealmPorts {
  return { ...portsOf(realm.mode), realm, actor, open: (work) => database.inRealm(realm, actor, work) }
}
