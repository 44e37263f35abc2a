import { type RawBuilder, sql } from 'kysely'
import { beginsWith } from '../../platform/database/text-search.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { isMeant, isWholeBeginning, termsOfTyped } from '../../platform/sealing/beginnings.ts'
import { keyringIn, keyringOf, keyringsOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { inSlices } from '../../platform/slices.ts'
import * as sealedQueries from './sealed-queries.ts'

// Nobody looks through more results than these: a longer text finds fewer.
export const MAX_FOUND = 2000
// People who share the first letters of a text, of whom those are searched who share all of it: 50 ms to open so many.
const MAX_OPENED = 10_000

interface Candidate {
  id: number
  /** The text is its number or the caller's own identifier. */
  isNamed: boolean
  personal: Sealed<sealedQueries.Personal>
}

const numberOf = (text: string) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : null)

const isNamed = (text: string) => sql`(c.id = ${numberOf(text)}::bigint or coalesce(c.external_id = ${text}, false))`

/** Rows in clear, which the job has not sealed yet, are found by these columns. */
const beginsInClear = (text: string) =>
  sql.join(
    ['c.email_key', 'c.name_key', 'c.last_key', 'c.name_plain', 'c.last_plain'].map((key) => beginsWith(key, text)),
    sql` or `,
  )

const hasTerm = (realm: RawBuilder<unknown>, terms: readonly RawBuilder<unknown>[]) =>
  sql.join(
    terms.map(
      (term) => sql`c.id = any(array(
  select customer_id from customer_finds where realm_id = ${realm} and term = ${term} limit ${MAX_OPENED}))`,
    ),
    sql` or `,
  )

/** The numbers of customers that a text finds: by number, the caller's own identifier, e-mail, name. */
export async function selectFound(tx: Tx, text: string): Promise<number[]> {
  const keys = await keyringOf(tx)
  const terms = termsOfTyped(keys, sealedQueries.FINDS, text).map((term) => sql`${term}::bigint`)
  const realm = sql`${tx.realm.id}`
  const where = sql`c.realm_id = ${realm} and c.erased_at is null
    and (c.id = ${numberOf(text)}::bigint or c.external_id = ${text} or ${sealedQueries.hasEmail('c', keys, text)} or ${beginsInClear(text)}
      or ${hasTerm(realm, terms)})`
  if (isWholeBeginning(text)) {
    const rows = await tx.rows(sql<{ id: number }>`select c.id from customers c where ${where} limit ${MAX_FOUND}`)
    return rows.map(({ id }) => id)
  }
  const candidates = await tx.rows(sql<Candidate>`
    select c.id, ${isNamed(text)} as "isNamed", ${sealedQueries.sealedCustomers.of('c')} as personal
    from customers c where ${where} limit ${MAX_OPENED}`)
  const found: number[] = []
  await inSlices(candidates, ({ id, isNamed, personal }) => {
    if (isNamed || isAbout(sealedQueries.sealedCustomers.open(keys, [id], personal), text)) found.push(id)
    return found.length < MAX_FOUND
  })
  return found
}

const isAbout = (personal: sealedQueries.Personal, typed: string) =>
  isMeant({ texts: sealedQueries.findableTexts(personal), name: sealedQueries.nameOf(personal) }, typed)

/** A customer of a live realm. */
interface FoundOfAll {
  realmId: number
  id: number
  name: string
  email: string
}

interface CandidateOfAll extends Candidate {
  realmId: number
}

/** The same over the live realms of all businesses: the newest, as many as are asked for. */
export async function selectFoundOfAll(tx: SystemTx, text: string, limit: number): Promise<FoundOfAll[]> {
  const realms = await tx.rows(sql<{ id: number }>`select id from realms where mode = 'live'`)
  const hashIn = await tx.vault.hashIn()
  const ids = realms.map(({ id }) => id)
  const terms = ids.map((id) =>
    termsOfTyped({ hash: (kind, part) => hashIn(id, kind, part) }, sealedQueries.FINDS, text),
  )
  const hashes = ids.map((id) => sealedQueries.emailHash(hashIn, id, text))
  const candidates = await tx.rows(sql<CandidateOfAll>`
    select c.realm_id as "realmId", c.id, ${isNamed(text)} as "isNamed", ${sealedQueries.sealedCustomers.of('c')} as personal
    from unnest(${ids}::int[], ${terms.map(([whole]) => whole)}::bigint[], ${terms.map(([whole, word]) => word ?? whole)}::bigint[],
      ${hashes}::bytea[]) as r(id, whole, word, email_hash)
    cross join lateral (
      select * from customers c where c.realm_id = r.id and c.erased_at is null
        and (c.id = ${numberOf(text)}::bigint or c.external_id = ${text} or c.email_hash = r.email_hash or ${beginsInClear(text)}
          or ${hasTerm(sql`r.id`, [sql`r.whole`, sql`r.word`])})
      order by c.seq desc limit ${MAX_FOUND}) c
    order by c.created_at desc limit ${MAX_FOUND}`)
  const keyrings = await keyringsOf(tx, candidates)
  const found: FoundOfAll[] = []
  await inSlices(candidates, ({ realmId, id, isNamed, personal }) => {
    const person = sealedQueries.sealedCustomers.open(keyringIn(keyrings, realmId), [id], personal)
    const { name, email } = person
    if (isNamed || isAbout(person, text)) found.push({ realmId, id, name, email })
    return found.length < limit
  })
  return found
}

// 10 ms of the database, shared by the realms that are behind.
const BATCH = 250
const REALMS_AT_ONCE = 100

/** Notes the last customer of each realm whose terms an earlier release may have written. */
export async function insertRealmsOfWords(tx: SystemTx): Promise<void> {
  await tx.run(sql`
    insert into customer_words (realm_id, until)
    select r.id, coalesce((select max(c.seq) from customers c where c.realm_id = r.id), 0)
    from realms r left join customer_words w on w.realm_id = r.id where w.realm_id is null on conflict do nothing`)
}

interface Indexed {
  realmId: number
  id: number
  seq: number
  personal: Sealed<sealedQueries.Personal>
}

/** Adds the words of names for customers of earlier releases. False when nothing was left. */
export async function insertNextWords(tx: SystemTx): Promise<boolean> {
  const behind = await tx.rows(sql<{ realmId: number; seq: number; until: number }>`
    select realm_id as "realmId", seq, until from customer_words where seq < until
    order by realm_id limit ${REALMS_AT_ONCE} for update skip locked`)
  if (behind.length === 0) return false
  const share = Math.ceil(BATCH / behind.length)
  // Locked, so that nobody is erased while their terms are written.
  const next = await tx.rows(sql<Indexed>`
    select c.* from unnest(${behind.map(({ realmId }) => realmId)}::int[], ${behind.map(({ seq }) => seq)}::bigint[],
      ${behind.map(({ until }) => until)}::bigint[]) as w(realm_id, seq, until)
    cross join lateral (
      select c.realm_id as "realmId", c.id, c.seq, ${sealedQueries.sealedCustomers.of('c')} as personal from customers c
      where c.realm_id = w.realm_id and c.seq > w.seq and c.seq <= w.until and c.erased_at is null
      order by c.seq limit ${share} for share) c`)
  const keyrings = await keyringsOf(tx, next)
  const terms = next.flatMap(({ realmId, id, personal }) => {
    const keys = keyringIn(keyrings, realmId)
    return sealedQueries
      .termsOf(keys, sealedQueries.sealedCustomers.open(keys, [id], personal))
      .map((term) => ({ realm_id: realmId, term, id }))
  })
  await tx.run(sql`
    insert into customer_finds (realm_id, term, customer_id)
    select realm_id, term, id from json_to_recordset(${JSON.stringify(terms)}::json) as v(realm_id int, term bigint, id bigint)
    on conflict do nothing`)
  const reached = Map.groupBy(next, ({ realmId }) => realmId)
  const done = behind.map(({ realmId, until }) => {
    const people = reached.get(realmId) ?? []
    return people.length < share ? until : (people.at(-1)?.seq ?? until)
  })
  await tx.run(sql`
    update customer_words w set seq = n.seq
    from unnest(${behind.map(({ realmId }) => realmId)}::int[], ${done}::bigint[]) n(realm_id, seq) where w.realm_id = n.realm_id`)
  return true
}
