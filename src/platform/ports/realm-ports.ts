import type { Ports } from '../../domain/ports.ts'
import type { Actor, Database, Mode, Realm, Tx } from '../database/tx.ts'

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
