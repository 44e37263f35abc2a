import { type RawBuilder, sql } from 'kysely'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import type { Keyring } from '../../platform/sealing/keyring.ts'
import { keyringOf, NEVER, operatorKeyringOf, sealedColumns } from '../../platform/sealing/sealed-columns.ts'
import { OPERATOR } from '../../platform/sealing/vault.ts'

export interface EmailRow {
  id: string
  kind: string
  to: string
  senderName: string
  replyTo?: string | undefined
  /** Where such e-mails are stopped: an address that a POST is sent to. */
  unsubscribe?: string | undefined
  subject: string
  text: string
  html: string
  orderId?: string | undefined
  kitId?: string | undefined
}

export type Head = Pick<EmailRow, 'to' | 'replyTo' | 'unsubscribe' | 'subject'>
export type Content = Pick<EmailRow, 'text' | 'html'>

const key = { id: 'text' }
const RECIPIENT = 'emails.recipient'

export const recipientHash = (keys: Keyring, address: string): Buffer => keys.hash(RECIPIENT, address.toLowerCase())

/** Whom an e-mail is for, and what it is about: what lists show. */
export const sealedEmailHeads = sealedColumns<Head>({
  table: 'emails',
  key,
  realmIsNull: true,
  clear: { to: 'recipient', replyTo: 'reply_to', unsubscribe: NEVER, subject: 'subject' },
  emptied: ['recipient', 'reply_to', 'subject'],
  hashes: { recipient_hash: { type: 'bytea', of: ({ to }, keys) => recipientHash(keys, to) } },
})

/** What it says: several times as long, and read one at a time. */
export const sealedEmailTexts = sealedColumns<Content>({
  table: 'emails',
  column: 'sealed_text',
  key,
  realmIsNull: true,
  clear: { text: 'text', html: 'html' },
})

/** The e-mails of the transaction's realm, or else those of no realm. */
export const owned = (tx: Tx | SystemTx) => ('realm' in tx ? sql`realm_id = ${tx.realm.id}` : sql`realm_id is null`)

/**
 * By their IDs, each way by an index: with what was written in clear in one condition, the look at the address would be a
 * filter below row-level security, and read all e-mails of the realm.
 */
const whoseAddress = (
  whose: RawBuilder<unknown>,
  hashes: readonly Buffer[],
  lower: readonly string[],
) => sql<boolean>`any(array(
  select t.id from emails t where ${whose} and t.recipient_hash = any(${hashes}::bytea[])
  union all
  select t.id from emails t where ${whose} and t.sealed is null and lower(t.recipient) = any(${lower})))`

/** Those of them that went to one of these addresses. */
export async function isTo(tx: Tx | SystemTx, addresses: readonly string[]): Promise<RawBuilder<boolean>> {
  const keys = await keyringOf(tx)
  const lower = addresses.map((address) => address.toLowerCase())
  const hashes = addresses.map((address) => recipientHash(keys, address))
  return sql<boolean>`id = ${whoseAddress(owned(tx), hashes, lower)}`
}

/** E-mails about accounts, which belong to no realm, to an address; the transaction may also be in the realm of a caller. */
export async function isAccountEmailTo(tx: SystemTx, address: string): Promise<RawBuilder<boolean>> {
  const hash = recipientHash(await operatorKeyringOf(tx), address)
  return sql<boolean>`id = ${whoseAddress(sql`realm_id is null`, [hash], [address.toLowerCase()])}`
}

/** The e-mails of any realm, and of none, that went to an address. */
export async function isToInAnyRealm(tx: SystemTx, address: string): Promise<RawBuilder<boolean>> {
  const realms = await tx.rows(sql<{ id: number }>`select id from realms`)
  const hashIn = await tx.vault.hashIn()
  const hashes = [OPERATOR, ...realms.map(({ id }) => id)].map((id) => hashIn(id, RECIPIENT, address.toLowerCase()))
  return sql<boolean>`e.id = ${whoseAddress(sql`true`, hashes, [address.toLowerCase()])}`
}
