import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../platform/database/tx.ts'
import type { IdentityRecord } from './rules.ts'

// Erasure is the one place that writes the tables of other modules: what it must reach is reviewed here as a whole.

/** Who is erased, before anything of it is gone. */
export interface Person {
  id: number
  email: string
  name: string
}

/** Kits of the person, also those whose registration waits for a human. Locked in the order that a registration locks. */
export function lockKits(tx: Tx, { id, email }: Person): Promise<{ id: string; orderId: string }[]> {
  return tx.rows(sql<{ id: string; orderId: string }>`
    select id, order_id as "orderId" from kits
    where realm_id = ${tx.realm.id} and (customer_id = ${id} or lower(registered_email) = lower(${email}))
    order by id for update`)
}

/** Takes the person off their kits; returns what the kits knew. */
export function blankKits(tx: Tx, kitIds: string[]): Promise<{ email: string | null; registration: unknown }[]> {
  return tx.rows(sql<{ email: string | null; registration: unknown }>`
    with old as (
      select id, registered_email, registration from kits where realm_id = ${tx.realm.id} and id = any(${kitIds})
    )
    update kits k set customer_id = null, registered_email = null, registration = null
    from old where k.realm_id = ${tx.realm.id} and k.id = old.id
    returning old.registered_email as email, old.registration`)
}

/** Consents for the kits, and by the person for kits of others: that and when stays, by whom does not. */
export function blankConsents(tx: Tx, kitIds: string[], email: string): Promise<IdentityRecord[]> {
  return tx.rows(sql<IdentityRecord>`
    with old as (
      select id, first_name, last_name, email from consents
      where realm_id = ${tx.realm.id} and (kit_id = any(${kitIds}) or lower(email) = lower(${email})) for update
    )
    update consents c set first_name = null, last_name = null, email = null, ip = null
    from old where c.realm_id = ${tx.realm.id} and c.id = old.id
    returning old.first_name as "firstName", old.last_name as "lastName", old.email`)
}

export interface BlankedOrder extends IdentityRecord {
  id: string
  email: string | null
  firstName: string | null
  lastName: string | null
}

/** Orders that were sent to the person: by e-mail, and orders of their kits also by name. */
export function blankOrders(tx: Tx, { email, name }: Person, orderIds: string[]): Promise<BlankedOrder[]> {
  return tx.rows(sql<BlankedOrder>`
    with old as (
      select id, first_name, last_name, email, phone, address from orders
      where realm_id = ${tx.realm.id} and (lower(email) = lower(${email})
        or (id = any(${orderIds}) and lower(first_name || ' ' || last_name) = lower(${name})))
      order by id for update
    )
    update orders o set first_name = null, last_name = null, email = null, phone = null, address = null
    from old where o.realm_id = ${tx.realm.id} and o.id = old.id
    returning old.id, old.first_name as "firstName", old.last_name as "lastName", old.email, old.phone, old.address`)
}

/** The business's own number of an order stays, unless it is the person's. */
export async function dropExternalId(tx: Tx, orderIds: string[], externalId: string): Promise<void> {
  await tx.run(sql`
    update orders set external_id = null
    where realm_id = ${tx.realm.id} and id = any(${orderIds}) and external_id = ${externalId}`)
}

/** E-mails to the person, sent or not: they say what happened and when. */
export async function deleteEmails(tx: Tx, addresses: string[]): Promise<void> {
  await tx.run(sql`
    delete from emails where realm_id = ${tx.realm.id} and lower(recipient) = any(${addresses})`)
}

/** Quizzes, results and files that were added, with the originals. After the reports made from them. */
export async function deleteData(tx: Tx, customerId: number): Promise<void> {
  await tx.run(sql`delete from customer_data where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}

/** Links to the person's pages with their sessions and wrong tries, and what was typed for the kits and not sent yet. */
export async function deleteLinks(tx: Tx, customerId: number, kitIds: string[]): Promise<void> {
  await tx.run(sql`delete from personal_links where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
  await tx.run(sql`delete from birth_date_failures where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
  await tx.run(sql`delete from registration_drafts where realm_id = ${tx.realm.id} and kit_id = any(${kitIds})`)
}

/** A name's words, in lower case and any order: laboratories write "Doe^Jamie". */
const words = (name: RawBuilder<unknown>) =>
  sql`array_remove(regexp_split_to_array(lower(coalesce(${name}, '')), '[^[:alnum:]]+'), '')`

/**
 * Empties laboratories' messages that wait and are surely about the person: by the number of a kit, or by date of birth
 * and name where nobody else who is registered was born that day. Others stay, and say why. Messages belong to no realm,
 * so that this alone works across them.
 */
export async function forgetMessages(
  tx: Tx,
  { dateOfBirth, name }: Person & { dateOfBirth: string | null },
  kitIds: string[],
): Promise<{ emptied: number; remaining: number }> {
  // Laboratories' messages are about live kits: a made-up person of the sandbox is told by a number only.
  const person = tx.realm.mode === 'live' ? name : ''
  await tx.run(sql`set local role ${sql.raw(tx.roles.system)}`)
  const told = await tx.row(sql<{ emptied: number; remaining: number }>`
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
  return told
}

/** What was received for the person and not judged, with a report or without. */
export async function deleteUnassessed(tx: Tx, customerId: number): Promise<void> {
  await tx.run(sql`delete from unassessed_results where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}

/** Reports with their versions and results. */
export function deleteReports(tx: Tx, customerId: number): Promise<number> {
  return tx.run(sql`delete from reports where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}

export interface EventData {
  id: string
  data: unknown
}

/** What happened to the person's kits and orders, and that they became a customer. */
export function selectEvents(tx: Tx, customerId: number, kitIds: string[], orderIds: string[]): Promise<EventData[]> {
  return tx.rows(sql<EventData>`
    select id, data from events where realm_id = ${tx.realm.id} and kit_id = any(${kitIds})
    union
    select id, data from events where realm_id = ${tx.realm.id} and order_id = any(${orderIds})
    union
    select id, data from events
    where realm_id = ${tx.realm.id} and kit_id in (
      select id from kits where realm_id = ${tx.realm.id} and order_id = any(${orderIds}))
    union
    select id, data from events
    where realm_id = ${tx.realm.id} and type in ('customer.created', 'customer.updated') and data ->> 'id' = ${String(customerId)}`)
}

export async function updateEvents(tx: Tx, changed: EventData[]): Promise<void> {
  if (changed.length === 0) return
  await tx.run(sql`
    update events e set data = c.data from jsonb_to_recordset(${JSON.stringify(changed)}::jsonb) as c(id text, data jsonb)
    where e.realm_id = ${tx.realm.id} and e.id = c.id`)
}

/** Kept answers that hold one of these texts; the next request with such a key runs anew. */
export async function deleteKeptAnswers(tx: Tx, texts: string[]): Promise<void> {
  await tx.run(sql`
    delete from idempotency_keys where realm_id = ${tx.realm.id}
      and exists (select from unnest(${texts}::text[]) as t(part) where strpos(lower(body), t.part) > 0)`)
}
