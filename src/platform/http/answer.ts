import type { z } from 'zod'
import type { Realm } from '../database/tx.ts'
import type { RealmPorts } from '../ports/realm-ports.ts'

/** The shape of each answer below 400, by its status. */
export type Answers = Record<number, z.ZodType>

export type Answer<R extends Answers> = {
  [Status in keyof R]: { status: Status; body: z.input<R[Status]>; headers?: Record<string, string> }
}[keyof R]

/** The rest of the work, for after the commit: it talks to other systems, which no transaction waits for. */
export interface After<A> {
  /** `twin` is the same for the business's other mode. */
  after(ports: RealmPorts, twin: RealmPorts): Promise<A>
}

/** An answer that is not JSON, or too long to hold: a document. `shows`: the IDs of what is in it, where it is known, for the audit. */
export interface Document {
  status: 200
  document: { contentType: string; body: string | Buffer | Parts; shows?: readonly string[] } | StoredDocument
  headers?: Record<string, string>
}

/** A body that is kept outside of the database: it is loaded after the commit. */
export interface StoredDocument {
  contentType: string
  shows?: readonly string[]
  /** Whose it is. */
  realm: Realm
  load(ports: RealmPorts): Promise<{ body: Buffer; headers?: Record<string, string> }>
}

/** A body that is read and sent in parts, each from a transaction of its own: a slow reader keeps no connection. */
export type Parts = (ports: RealmPorts) => AsyncIterable<string>

export interface NewCookie {
  value: string
  expiresAt: Date
}

/** `cookie`: a session to set with the mark of its browser, or null to end the one that the browser has. */
export type AccountAnswer<R extends Answers> = Answer<R> & { cookie?: (NewCookie & { device: NewCookie }) | null }
