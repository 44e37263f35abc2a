import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'

/** Quizzes, results and files that were added, with the originals. After the reports made from them. */
export async function deleteDataOfCustomer(tx: Tx, customerId: number): Promise<void> {
  await tx.run(sql`delete from customer_data where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}

/** A name's words, in lower case and any order: laboratories write "Doe^Jamie". */
const words = (name: RawBuilder<unknown>) =>
  sql`array_remove(regexp_split_to_array(lower(coalesce(${name}, '')), '[^[:alnum:]]+'), '')`

/**
 * Empties laboratories' messages that wait and are surely about the person: by the number of a kit, or by date of birth
 * and name where nobody else who is registered was born that day. Others stay, and say why. Messages belong to no realm,
 * so that this alone works across them.
 */
export async function emptyMessagesAbout(
  tx: Tx,
  { dateOfBirth, name }: { dateOfBirth: string | null; name: string },
  kitIds: readonly string[],
): Promise<{ emptied: number; remaining: number }> {
  // Laboratories' messages are about live kits: a made-up person of the sandbox is recognised by a number only.
  const person = tx.realm.mode === 'live' ? name : ''
  await tx.run(sql`set local role ${sql.raw(tx.roles.system)}`)
  const outcome = await tx.row(sql<{ emptied: number; remaining: number }>`
    with own as (
      select id, accession from kits where realm_id = ${tx.realm.id} and id = any(${kitIds})
    ), about as (
      select m.id,
        exists (select from own where own.id = m.parsed->>'kitId' or own.accession = m.accession) as by_number,
        coalesce(m.parsed->'patient'->>'dateOfBirth' = ${dateOfBirth} and ${person} <> ''
          and ${words(sql`${person}::text`)} <@ ${words(sql`m.parsed->'patient'->>'name'`)}, false) as by_name,
        not exists (select from kits k where k.registration->>'dateOfBirth' = ${dateOfBirth} and k.id <> all(${kitIds})) as alone
      from lab_messages m where m.status = 'waiting'
    ), gone as (
      update lab_messages m set status = 'discarded', parsed = '{}', closed_at = ${tx.now} from about
      where m.id = about.id and (about.by_number or (about.by_name and about.alone)) returning m.id
    ), stay as (
      update lab_messages m
      set reason = 'Somebody of this name and date of birth was erased: discard it unless it is about another person'
      from about where m.id = about.id and about.by_name and not about.by_number and not about.alone returning m.id
    )
    select (select count(*)::int from gone) as emptied, (select count(*)::int from stay) as remaining`)
  await tx.run(sql`set local role ${sql.raw(tx.roles.app)}`)
  return outcome
}
