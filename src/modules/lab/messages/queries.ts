import { sql } from 'kysely'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { Realm, SystemTx } from '../../../platform/database/tx.ts'
import type { ParsedReport } from '../parse/parsed.ts'

export interface LabKit {
  realm: Realm
  kitId: string
  kitStatus: string
  registration: { dateOfBirth?: string; firstName?: string; lastName?: string } | null
}

const kitColumns = sql`
  jsonb_build_object('id', r.id, 'businessId', r.business_id, 'mode', r.mode) as realm,
  k.id as "kitId", k.kit_status as "kitStatus", k.registration`

/** The kit of a message, over all realms: by its ID, else by the laboratory's number. */
export function selectLabKit(
  tx: SystemTx,
  { kitId, accession }: { kitId?: string; accession?: string },
): Promise<LabKit | undefined> {
  return tx.maybeRow(sql<LabKit>`
    select ${kitColumns} from kits k join realms r on r.id = k.realm_id
    where k.id = ${kitId ?? null} or k.accession = ${accession ?? null}
    order by k.id = ${kitId ?? null} desc nulls last limit 1`)
}

/** The same for several messages; undefined for each without a kit. */
export async function selectLabKits(
  tx: SystemTx,
  numbers: readonly { kitId?: string; accession?: string }[],
): Promise<(LabKit | undefined)[]> {
  const rows = await tx.rows(sql<LabKit & { place: number }>`
    select n.place::int as place, found.*
    from unnest(${numbers.map(({ kitId }) => kitId ?? null)}::text[], ${numbers.map(({ accession }) => accession ?? null)}::text[])
      with ordinality as n(kit_id, accession, place)
    cross join lateral (
      select ${kitColumns} from kits k join realms r on r.id = k.realm_id where k.id = n.kit_id or k.accession = n.accession
      order by k.id = n.kit_id desc nulls last limit 1) found`)
  const byPlace = new Map(rows.map(({ place, ...kit }) => [place, kit]))
  return numbers.map((_, index) => byPlace.get(index + 1))
}

/** Kits that a message may belong to: sent back, not fully resulted, registered with the same date of birth. */
export function selectCandidateKits(tx: SystemTx, dateOfBirth: string): Promise<{ kitId: string }[]> {
  return tx.rows(sql<{ kitId: string }>`
    select k.id as "kitId" from kits k join realms r on r.id = k.realm_id
    where r.mode = 'live' and k.sample_status in ('inTransit', 'received', 'partiallyResulted')
      and k.registration->>'dateOfBirth' = ${dateOfBirth} order by k.updated_at desc limit 5`)
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
  const row = await tx.row(sql<{ id: string }>`
    insert into lab_messages (id, source, format, fingerprint, accession, parsed, reason, status, received_at)
    values (${newOpaqueId('lab')}, ${message.source}, ${message.format}, ${message.fingerprint}, ${message.accession ?? null},
      ${JSON.stringify(message.parsed)}::jsonb, ${message.reason}, 'waiting', ${tx.now})
    on conflict (fingerprint) do update set fingerprint = excluded.fingerprint returning id`)
  return row.id
}

export interface MessageRow {
  id: string
  format: string
  accession: string | null
  parsed: ParsedReport
  reason: string
  status: 'waiting' | 'assigned' | 'discarded'
  receivedAt: Date
}

const messageColumns = sql`id, format, accession, parsed, reason, status, received_at as "receivedAt"`

export function selectMessages(tx: SystemTx, status: string, page: number, size: number): Promise<MessageRow[]> {
  return tx.rows(sql<MessageRow>`
    select ${messageColumns} from lab_messages where status = ${status}
    order by jsonb_path_exists(parsed, '$.observations[*].flag ? (@ == "LL" || @ == "HH" || @ == "AA" || @ == "A")') desc,
      received_at, id limit ${size} offset ${page * size}`)
}

export function lockMessage(tx: SystemTx, id: string): Promise<MessageRow | undefined> {
  return tx.maybeRow(sql<MessageRow>`select ${messageColumns} from lab_messages where id = ${id} for update`)
}

/** Ends a message and deletes its content. */
export async function closeMessage(
  tx: SystemTx,
  id: string,
  to: { status: 'assigned'; kitId: string } | { status: 'discarded' },
): Promise<void> {
  const kitId = to.status === 'assigned' ? to.kitId : null
  await tx.run(sql`
    update lab_messages set status = ${to.status}, kit_id = ${kitId}, closed_at = ${tx.now}, parsed = '{}' where id = ${id}`)
}
