import type { ParsedReport } from '@kitlane/lab-reader/parse/parsed'
import { sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import type { Sealed } from '../../platform/sealing/sealed-columns.ts'
import { OPERATOR } from '../../platform/sealing/vault.ts'
import { kitsOfBirth } from '../kits/sealed-queries.ts'
import { birthHash, sealedMessages, withoutContent } from './messages/sealed-queries.ts'

/** Quizzes, results and files that were added, with the originals. After the reports made from them. */
export async function deleteDataOfCustomer(tx: Tx, customerId: number): Promise<void> {
  await tx.run(sql`delete from received_documents where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
  await tx.run(sql`delete from customer_data where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}

/** The same by their IDs. */
export async function deleteData(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.run(sql`delete from customer_data where realm_id = ${tx.realm.id} and id = any(${ids})`)
}

/** What these results that were not judged came in, where no report was made of it. Before the results. */
export async function deleteReceivedOfResults(tx: Tx, resultIds: readonly string[]): Promise<void> {
  await tx.run(sql`
    delete from received_documents d where d.realm_id = ${tx.realm.id} and d.report_id is null and d.data_id is null
      and d.id in (select received_id from unassessed_results where realm_id = d.realm_id and id = any(${resultIds}))`)
}

/** The data that is a laboratory's: results, and files that gave any or wait for a person to read them. */
export async function selectLaboratoryData(tx: Tx, customerId: number): Promise<string[]> {
  const rows = await tx.rows(sql<{ id: string }>`
    select d.id from customer_data d
    where d.realm_id = ${tx.realm.id} and d.customer_id = ${customerId} and (d.kind = 'test' or d.kind = 'file' and (
      exists (select from reports r where r.realm_id = d.realm_id and r.data_id = d.id)
      or exists (select from unassessed_results u where u.realm_id = d.realm_id and u.data_id = d.id)
      or exists (select from documents o join upload_reviews v on v.realm_id = o.realm_id and v.document_id = o.id
                 where o.realm_id = d.realm_id and o.data_id = d.id and v.state <> 'dismissed')))`)
  return rows.map(({ id }) => id)
}

export interface WaitingMessage {
  id: string
  receivedAt: Date
  accession: string | null
  /** That it was assigned to. */
  kitId: string | null
  parsed: ParsedReport
}

/** Messages with content that name one of these kits, one of their accessions, or somebody of this date of birth, or are on one of the kits. */
export async function lockMessagesNaming(
  tx: Tx,
  {
    dateOfBirth,
    kitIds,
    accessions,
  }: { dateOfBirth: string | null; kitIds: readonly string[]; accessions: readonly string[] },
): Promise<WaitingMessage[]> {
  const keys = await tx.vault.of(OPERATOR)
  const born = dateOfBirth === null ? null : birthHash(keys, dateOfBirth)
  const rows = await tx.rows(sql<Omit<WaitingMessage, 'parsed'> & { content: Sealed<{ parsed: ParsedReport | null }> }>`
    select m.id, m.received_at as "receivedAt", m.accession, m.kit_id as "kitId", ${sealedMessages.of('m')} as content from lab_messages m
    where (m.status = 'waiting' or m.made is not null) and (m.kit_id = any(${kitIds}) or m.named_kit = any(${kitIds}) or m.accession = any(${accessions}) or m.birth_hash = ${born}
      or (m.sealed is null and (m.parsed->>'kitId' = any(${kitIds}) or m.parsed->'patient'->>'dateOfBirth' = ${dateOfBirth})))
    order by m.id for update`)
  return rows.flatMap(({ content, ...row }) => {
    const { parsed } = sealedMessages.open(keys, [row.id], content)
    return parsed ? [{ ...row, parsed }] : []
  })
}

export async function selectAccessions(tx: Tx, kitIds: readonly string[]): Promise<string[]> {
  const rows = await tx.rows(sql<{ accession: string }>`
    select accession from kits where realm_id = ${tx.realm.id} and id = any(${kitIds}) and accession is not null`)
  return rows.map(({ accession }) => accession)
}

/** Whether another kit of any business is registered to somebody of this date of birth. */
export async function hasOtherKitOfBirth(tx: Tx, dateOfBirth: string, kitIds: readonly string[]): Promise<boolean> {
  const { found } = await tx.row(sql<{ found: boolean }>`
    select exists (select from ${await kitsOfBirth(tx, dateOfBirth)} k where k.id <> all(${kitIds})) as found`)
  return found
}

export async function emptyMessages(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.run(sql`
    update lab_messages set status = case status when 'waiting' then 'discarded' else status end,
      closed_at = coalesce(closed_at, ${tx.now}), ${withoutContent} where id = any(${ids})`)
}

export async function updateReasons(tx: Tx, ids: readonly string[], reason: string): Promise<void> {
  await tx.run(sql`update lab_messages set reason = ${reason} where id = any(${ids})`)
}

/** Runs statements over all realms: messages of laboratories belong to none. */
export async function acrossRealms<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await tx.run(sql`set local role ${sql.raw(tx.roles.system)}`)
  const outcome = await work()
  await tx.run(sql`set local role ${sql.raw(tx.roles.app)}`)
  return outcome
}
