import { createHmac, type KeyObject } from 'node:crypto'
import { keyIdOf, open, openInSlices, type SealForm, type SecretKey, seal, sealInSlices } from '../crypto.ts'

/** The keyed hash of a text in one realm, 16 bytes: the same text has another hash in every other realm. */
export type HashIn = (realmId: number, kind: string, text: string) => Buffer

/** The keys of one realm, in memory. */
export interface Keyring {
  readonly realmId: number
  /** Whether values may be packed: every process reads them. */
  readonly packs: boolean
  /** Seals with the realm's newest key. `place` names the row: a value that is copied to another row cannot be opened. */
  seal(plain: string | Buffer, place: string, form?: SealForm): Buffer
  /** @throws if the value was changed, or sealed for another place or realm. */
  open(sealed: Buffer, place: string): Buffer
  /** The same for long values, while other work goes on. */
  sealInSlices(plain: Buffer, place: string): Promise<Buffer>
  openInSlices(sealed: Buffer, place: string): Promise<Buffer>
  /** Hashes for any realm. */
  readonly hashIn: HashIn
  /** A keyed hash of 16 bytes, by which a sealed value is found. `kind` keeps equal texts of different columns apart. */
  hash(kind: string, text: string): Buffer
}

const HASH_BYTES = 16

export const hashWith =
  (index: KeyObject): HashIn =>
  (realmId, kind, text) => {
    // As text, a digest costs half as much.
    const digest = createHmac('sha256', index).update(`${realmId}\0${kind}\0${text}`).digest('binary')
    return Buffer.from(digest.slice(0, HASH_BYTES), 'binary')
  }

export interface KeyringOptions {
  realmId: number
  packs: boolean
  current: SecretKey
  /** The realm's keys by ID, of which `current` seals. */
  data: ReadonlyMap<number, SecretKey>
  hashIn: HashIn
}

export function keyring({ realmId, packs, current, data, hashIn }: KeyringOptions): Keyring {
  const keyOf = (sealed: Buffer) => {
    const id = keyIdOf(sealed).readInt32BE()
    const key = data.get(id)
    if (!key) throw new Error(`The key ${id} of realm ${realmId} is not here: it was destroyed, or is of another realm`)
    return key
  }
  return {
    realmId,
    packs,
    hashIn,
    seal: (plain, place, form) => seal(current, plain, place, form),
    open: (sealed, place) => open(keyOf(sealed), sealed, place),
    sealInSlices: (plain, place) => sealInSlices(current, plain, place),
    openInSlices: (sealed, place) => openInSlices(keyOf(sealed), sealed, place),
    hash: (kind, text) => hashIn(realmId, kind, text),
  }
}
