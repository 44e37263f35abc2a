import type { ParsedReport } from '@kitlane/lab-reader/parse/parsed'
import { sql } from 'kysely'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { Realm, SystemTx } from '../../../platform/database/tx.ts'
import type { Keyring } from '../../../platform/sealing/keyring.ts'
import { keyringIn, operatorKeyringOf, type Sealed } from '../../../platform/sealing/sealed-columns.ts'
import { isUseStopped } from '../../kits/recall-queries.ts'
import type { LifetimeStatus } from '../../kits/rules.ts'
import { kitsOfBirth, type RegisteredPerson, sealedKits } from '../../kits/sealed-queries.ts'
import { sealedMessages, withoutContent } from './sealed-queries.ts'

export interface LabKit {
  realm: Realm
  kitId: string
  kitStatus: string
  /** As far as is known its box reached nobody. */
  isWithNobody: boolean
  /** Its person was erased. */
  isErased: boolean
  /** It was recalled, so that nobody can register it. */
  isUseStopped: boolean
  registration: {
    dateOfBirth?: string
    firstName?: string
    lastName?: string
    correctedName?: string
    sex?: 'M' | 'F'
  } | null
}

type StoredKit = Omit<LabKit, 'registration'> & { sealed: Sealed<RegisteredPerson> }

async function openKits<Row extends StoredKit>(
  tx: SystemTx,
  rows: readonly Row[],
): Promise<(Omit<Row, 'sealed'> & LabKit)[]> {
  const keyrings = await tx.vault.ofAll(rows.map(({ realm }) => realm.id))
  return rows.map(({ sealed, ...row }) => {
    const { registration } = sealedKits.open(keyringIn(keyrings, row.realm.id), [row.kitId], sealed)
    return { ...row, registration: registration as LabKit['registration'] }
  })
}

const kitColumns = sql`
  jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm,
  k.id as "kitId", k.kit_status as "kitStatus",
  exists (select from undelivered_kits u
          where u.realm_id = k.realm_id and u.kit_id = k.id and u.is_with_nobody) as "isWithNobody",
  k.registered_at is not null and k.customer_id is null as "isErased", ${isUseStopped} as "isUseStopped", ${sealedKits.of('k')} as sealed`

/** The kit of a message, over all realms: by its ID, else by the laboratory's number. */
export async function selectLabKit(
  tx: SystemTx,
  { kitId, accession }: { kitId?: string; accession?: string },
): Promise<LabKit | undefined> {
  const rows = await tx.rows(sql<StoredKit>`
    select ${kitColumns} from kits k join realms r on r.id = k.realm_id
    where k.id = ${kitId ?? null} or k.accession = ${accession ?? null}
    order by k.id = ${kitId ?? null} desc nulls last limit 1`)
  const [kit] = await openKits(tx, rows)
  return kit
}

/** The same for several messages, each with all kits that have its number: the one of its ID first. */
export async function selectLabKits(
  tx: SystemTx,
  numbers: readonly { kitId?: string; accession?: string }[],
): Promise<LabKit[][]> {
  const rows = await tx.rows(sql<StoredKit & { place: number }>`
    select n.place::int as place, ${kitColumns}
    from unnest(${numbers.map(({ kitId }) => kitId ?? null)}::text[], ${numbers.map(({ accession }) => accession ?? null)}::text[])
      with ordinality as n(kit_id, accession, place)
    cross join lateral (
      select n.kit_id as id
      union select other.id from kits other where other.accession = n.accession
      union select m.kit_id from lab_order_messages m where m.filler_numbers @> array[n.accession]) named
    join kits k on k.id = named.id join realms r on r.id = k.realm_id
    order by k.id = n.kit_id desc nulls last, k.id`)
  const byPlace = Map.groupBy(await openKits(tx, rows), ({ place }) => place)
  return numbers.map((_, index) => byPlace.get(index + 1) ?? [])
}

/** Kits that a message may belong to: sent back, not fully resulted, registered with the same date of birth. */
export async function selectCandidateKits(tx: SystemTx, dateOfBirth: string): Promise<{ kitId: string }[]> {
  return tx.rows(sql<{ kitId: string }>`
    select k.id as "kitId" from ${await kitsOfBirth(tx, dateOfBirth)} born
    join kits k on k.realm_id = born.realm_id and k.id = born.id join realms r on r.id = k.realm_id
    where r.mode = 'live' and k.sample_status in ('inTransit', 'received', 'partiallyResulted')
    order by k.updated_at desc limit 5`)
}

export interface NewMessage {
  source: string
  format: string
  fingerprint: Buffer
  accession?: string
  parsed: ParsedReport
  reason: string
}

/** Inserts a message into the queue, unless it is there already. Returns its ID. */
export async function insertMessage(tx: SystemTx, message: NewMessage): Promise<string> {
  const { parsed, fingerprint } = message
  // Versions before kept the hash without a key.
  const known = await tx.maybeRow(sql<{ id: string }>`select id from lab_messages where fingerprint = ${fingerprint}`)
  if (known) return known.id
  const id = newOpaqueId('lab')
  const keys = await operatorKeyringOf(tx)
  // With a key: a kit and a likely value would be enough to guess a short message.
  const print = keys.hash('lab_messages.fingerprint', fingerprint.toString('hex'))
  const { birth_hash } = sealedMessages.hashes(keys, { parsed })
  const { named_kit, is_critical } = sealedMessages.derived(keys, [id], { parsed })
  const row = await tx.row(sql<{ id: string }>`
    insert into lab_messages (id, source, format, fingerprint, accession, sealed, birth_hash, named_kit, is_critical, reason,
      status, received_at)
    values (${id}, ${message.source}, ${message.format}, ${print}, ${message.accession ?? null},
      ${sealedMessages.seal(keys, [id], { parsed })}, ${birth_hash}, ${named_kit}, ${is_critical}, ${message.reason},
      'waiting', ${tx.now})
    on conflict (fingerprint) do update set fingerprint = excluded.fingerprint returning id`)
  return row.id
}

/** What assigning a message made, by its IDs. */
export interface StoredMade {
  realm: Realm
  receivedId: string
  version?: number
  kitStood: LifetimeStatus
}

export interface MessageRow {
  id: string
  source: string
  format: string
  accession: string | null
  /** `{}` once the message was discarded, or can no longer be taken off its kit. */
  parsed: ParsedReport
  reason: string
  status: 'waiting' | 'assigned' | 'discarded'
  receivedAt: Date
  kitId: string | null
  closedAt: Date | null
  /** Null where it cannot be undone. */
  made: StoredMade | null
}

type UnreadMessage = Omit<MessageRow, 'parsed'> & { content: Sealed<{ parsed: ParsedReport | null }> }

const openMessage = (keys: Keyring, { content, ...row }: UnreadMessage): MessageRow => ({
  ...row,
  parsed: sealedMessages.open(keys, [row.id], content).parsed ?? ({} as ParsedReport),
})

const messageColumns = sql`
  m.id, m.source, m.format, m.accession, ${sealedMessages.of('m')} as content, m.reason, m.status, m.received_at as "receivedAt",
  m.kit_id as "kitId", m.closed_at as "closedAt", m.made`

// Messages in clear, of versions before, say it in their results.
const isCritical = sql`coalesce(m.is_critical,
  jsonb_path_exists(m.parsed, '$.observations[*].flag ? (@ == "LL" || @ == "HH" || @ == "AA" || @ == "A")'), false)`

export async function selectMessages(
  tx: SystemTx,
  statuses: readonly string[],
  page: number,
  size: number,
): Promise<MessageRow[]> {
  const rows = await tx.rows(sql<UnreadMessage>`
    select ${messageColumns} from lab_messages m where m.status = any(${statuses})
    order by ${statuses.join() === 'assigned' ? sql`m.closed_at desc,` : sql``} ${isCritical} desc, m.received_at, m.id limit ${size} offset ${page * size}`)
  const keys = await operatorKeyringOf(tx)
  return rows.map((row) => openMessage(keys, row))
}

export async function lockMessage(tx: SystemTx, id: string): Promise<MessageRow | undefined> {
  const row = await tx.maybeRow(sql<UnreadMessage>`
    select ${messageColumns} from lab_messages m where m.id = ${id} for update`)
  return row && openMessage(await operatorKeyringOf(tx), row)
}

/** Those of these kits of which a message waits, other than for these reasons. */
export const selectKitsOfWaiting = async (
  tx: SystemTx,
  kitIds: readonly string[],
  except: readonly string[],
): Promise<string[]> =>
  kitIds.length === 0
    ? []
    : (
        await tx.rows(sql<{ id: string }>`
          select k.id from kits k where k.id = any(${kitIds}) and exists (
            select from lab_messages m where m.status = 'waiting' and m.reason <> all(${except})
              and (m.named_kit = k.id or m.accession = k.accession))`)
      ).map(({ id }) => id)

/** Locks the messages that wait for one reason and name a kit, oldest first. */
export async function lockWaitingOfKit(tx: SystemTx, kitId: string, reason: string): Promise<MessageRow[]> {
  const rows = await tx.rows(sql<UnreadMessage>`
    select ${messageColumns} from lab_messages m
    where m.status = 'waiting' and m.named_kit = ${kitId} and m.reason = ${reason} order by m.received_at, m.id for update`)
  const keys = await operatorKeyringOf(tx)
  return rows.map((row) => openMessage(keys, row))
}

/** Ends a message and deletes its content. */
export async function markDiscarded(tx: SystemTx, id: string, reason?: string): Promise<void> {
  await tx.run(sql`
    update lab_messages set status = 'discarded', kit_id = null, reason = coalesce(${reason ?? null}, reason), closed_at = ${tx.now}, ${withoutContent} where id = ${id}`)
}

/** Its content stays as long as it can be taken off the kit again. */
export async function markAssigned(tx: SystemTx, id: string, kitId: string, made: StoredMade): Promise<void> {
  await tx.run(sql`
    update lab_messages set status = 'assigned', kit_id = ${kitId}, closed_at = ${tx.now}, made = ${JSON.stringify(made)}
    where id = ${id}`)
}

export async function markWaiting(tx: SystemTx, id: string): Promise<void> {
  await tx.run(sql`
    update lab_messages set status = 'waiting', kit_id = null, closed_at = null, made = null where id = ${id}`)
}

/** Empties messages that were assigned before a time. Returns how many. */
export function emptyAssignedBefore(tx: SystemTx, time: Date): Promise<number> {
  return tx.run(sql`
    update lab_messages set ${withoutContent} where status = 'assigned' and made is not null and closed_at < ${time}`)
}
