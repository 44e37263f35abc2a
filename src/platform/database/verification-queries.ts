import { sql } from 'kysely'
import type { SystemTx } from './tx.ts'

/** What is verified behind its back, and can be gone on with. */
export type Verified = 'audit' | 'ledger'

export interface VerificationRow<Head> {
  batch: number
  head: Head
  /** From the first row ever written, and not only what is new. */
  isWhole: boolean
  beganAt: Date
  /** Null: the pass is under way. */
  endedAt: Date | null
  isBroken: boolean
  /** Of the last whole pass that found nothing. */
  wholeBeganAt: Date | null
  wholeEndedAt: Date | null
}

/** The row and the position of each part, as of one moment: another process may begin the next pass at any time. */
export async function selectVerification<Head, Part>(
  tx: SystemTx,
  name: Verified,
): Promise<{ row: VerificationRow<Head> | undefined; parts: Map<number, Part> }> {
  const found = await tx.maybeRow(sql<VerificationRow<Head> & { parts: { part: number; position: Part }[] }>`
    select batch, head, is_whole as "isWhole", began_at as "beganAt", ended_at as "endedAt", is_broken as "isBroken",
      whole_began_at as "wholeBeganAt", whole_ended_at as "wholeEndedAt",
      (select coalesce(jsonb_agg(jsonb_build_object('part', p.part, 'position', p.position)), '[]')
       from verified_parts p where p.name = v.name) as parts
    from verifications v where v.name = ${name}`)
  if (!found) return { row: undefined, parts: new Map() }
  const { parts, ...row } = found
  return { row, parts: new Map(parts.map(({ part, position }) => [part, position])) }
}

/** Keeps a batch. False if another process has kept one since `row.batch` was read. */
export async function keepBatch<Head>(tx: SystemTx, name: Verified, row: VerificationRow<Head>): Promise<boolean> {
  const { batch, head, isWhole, beganAt, endedAt, isBroken, wholeBeganAt, wholeEndedAt } = row
  const written = await tx.run(sql`
    insert into verifications as v (name, batch, head, is_whole, began_at, ended_at, is_broken, whole_began_at, whole_ended_at)
    values (${name}, ${batch + 1}, ${JSON.stringify(head)}, ${isWhole}, ${beganAt}, ${endedAt}, ${isBroken}, ${wholeBeganAt}, ${wholeEndedAt})
    on conflict (name) do update set batch = excluded.batch, head = excluded.head, is_whole = excluded.is_whole,
      began_at = excluded.began_at, ended_at = excluded.ended_at, is_broken = excluded.is_broken,
      whole_began_at = excluded.whole_began_at, whole_ended_at = excluded.whole_ended_at
    where v.batch = ${batch}`)
  return written === 1
}

export async function deleteParts(tx: SystemTx, name: Verified): Promise<void> {
  await tx.run(sql`delete from verified_parts where name = ${name}`)
}

export async function upsertParts(tx: SystemTx, name: Verified, parts: readonly [number, unknown][]): Promise<void> {
  if (parts.length === 0) return
  const rows = JSON.stringify(parts.map(([part, position]) => ({ part, position })))
  await tx.run(sql`
    insert into verified_parts (name, part, position)
    select ${name}, part, position from json_to_recordset(${rows}::json) as p(part int, position jsonb)
    on conflict (name, part) do update set position = excluded.position`)
}

/** The next verification begins from the start. */
export async function forgetVerification(tx: SystemTx, name: Verified): Promise<void> {
  await tx.run(sql`
    update verifications set batch = batch + 1, is_broken = true, ended_at = coalesce(ended_at, ${tx.now}) where name = ${name}`)
}
