import { type RawBuilder, sql } from 'kysely'
import { beginsWith } from '../../platform/database/text-search.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { isMeant, isWholeBeginning, termsOfTyped } from '../../platform/sealing/beginnings.ts'
import { keyringIn, keyringOf, keyringsOf, type Sealed } from '../../platform/sealing/sealed-columns.ts'
import { inSlices } from '../../platform/slices.ts'
import { emailHash, FINDS, findableTexts, hasEmail, nameOf, type Personal, sealedCustomers } from './sealed-queries.ts'

// Nobody looks through more results than these: a longer text finds fewer.
export const MAX_FOUND = 2000
// People who share the first letters of a text, of whom those are searched who share all of it: 50 ms to open so many.
const MAX_OPENED = 10_000

interface Candidate {
  id: number
  /** The text is its number or the caller's own identifier. */
  isNamed: boolean
  personal: Sealed<Personal>
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
  const terms = termsOfTyped(keys, FINDS, text).map((term) => sql`${term}::bigint`)
  const realm = sql`${tx.realm.id}`
  const where = sql`c.realm_id = ${realm} and c.erased_at is null
    and (c.id = ${numberOf(text)}::bigint or c.external_id = ${text} or ${hasEmail('c', keys, text)} or ${beginsInClear(text)}
      or ${hasTerm(realm, terms)})`
  if (isWholeBeginning(text)) {
    const rows = await tx.rows(sql<{ id: number }>`select c.id from customers c where ${where} limit ${MAX_FOUND}`)
    return rows.map(({ id }) => id)
  }
  const candidates = await tx.rows(sql<Candidate>`
    select c.id, ${isNamed(text)} as "isNamed", ${sealedCustomers.of('c')} as personal
    from customers c where ${where} limit ${MAX_OPENED}`)
  const found: number[] = []
  await inSlices(candidates, ({ id, isNamed, personal }) => {
    if (isNamed || isAbout(sealedCustomers.open(keys, [id], personal), text)) found.push(id)
    return found.length < MAX_FOUND
  })
  return found
}

const isAbout = (personal: Personal, typed: string) =>
  isMeant({ texts: findableTexts(personal), name: nameOf(personal) }, typed)

/** A customer of a live realm. */
export interface FoundOfAll {
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
  const terms = ids.map((id) => termsOfTyped({ hash: (kind, part) => hashIn(id, kind, part) }, FINDS, text))
  const hashes = ids.map((id) => emailHash(hashIn, id, text))
  const candidates = await tx.rows(sql<CandidateOfAll>`
    select c.realm_id as "realmId", c.id, ${isNamed(text)} as "isNamed", ${sealedCustomers.of('c')} as personal
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
    const person = sealedCustomers.open(keyringIn(keyrings, realmId), [id], personal)
    const { name, email } = person
    if (isNamed || isAbout(person, text)) found.push({ realmId, id, name, email })
    return found.length < limit
  })
  return found
}
