import type { Ports } from '../../domain/ports.ts'
import type { Actor, Database, Mode, Realm, Tx } from '../database/tx.ts'
import { type RealmFiles, realmFiles } from '../files/sealed-files.ts'

export type PortsOf = (mode: Mode) => Ports

/** The ports of one realm, and a way to open its transactions. A verb never calls a port inside a transaction. */
export interface RealmPorts extends Ports {
  realm: Realm
  actor: Actor
  files: RealmFiles
  /** Opens a transaction of the realm. */
  open<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

export function realmPorts(database: Database, portsOf: PortsOf, realm: Realm, actor: Actor): RealmPorts {
  const ports = portsOf(realm.mode)
  const files = realmFiles(ports.fileStore, { vault: database.vault, realmId: realm.id, now: () => database.now() })
  return { ...ports, realm, actor, files, open: (work) => database.inRealm(realm, actor, work) }
}
