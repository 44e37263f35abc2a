import { type RawBuilder, sql } from 'kysely'
import type { Queries, Realm, SystemTx, Tx } from '../../platform/database/tx.ts'
import { keyringOf, NEVER, type Sealed, sealedColumns } from '../../platform/sealing/sealed-columns.ts'
import { OPERATOR } from '../../platform/sealing/vault.ts'
import { type Failures, type LinkState, TRIES_A_DAY } from './rules.ts'

interface NewLink {
  hash: Buffer
  customerId: number
  expiresAt: Date
  isRenewal: boolean
}

export async function insertLinks(tx: Tx, links: readonly NewLink[]): Promise<void> {
  await tx.run(sql`
    insert into personal_links (realm_id, hash, customer_id, created_at, expires_at, is_renewal)
    select ${tx.realm.id}, l.hash, l.customer_id, ${tx.now}, l.expires_at, l.is_renewal
    from unnest(${links.map(({ hash }) => hash)}::bytea[], ${links.map(({ customerId }) => customerId)}::bigint[],
                ${links.map(({ expiresAt }) => expiresAt)}::timestamptz[],
                ${links.map(({ isRenewal }) => isRenewal)}::boolean[]) as l(hash, customer_id, expires_at, is_renewal)`)
}

const realmColumns = sql`r.id, r.business_id as "businessId", r.mode`

export interface FoundLink extends LinkState {
  realm: Realm
}

type Flat = Omit<Realm, never> & LinkState

/** The realm and the state of a link: its reader does not know the business. */
export async function selectLink(tx: SystemTx, hash: Buffer): Promise<FoundLink | undefined> {
  const row = await tx.maybeRow(sql<Flat>`
    select ${realmColumns}, least(l.expires_at, x.expires_at) as "expiresAt", l.wrong_tries as "wrongTries"
    from personal_links l join realms r on r.id = l.realm_id
    left join report_shares x on x.realm_id = l.realm_id and x.link_hash = l.hash where l.hash = ${hash}`)
  return row && { ...row, realm: { id: row.id, businessId: row.businessId, mode: row.mode } }
}

export interface FoundSession extends LinkState {
  realm: Realm
  customerId: number
  linkHash: Buffer
  isVerified: boolean
  /** Of a link to one report. */
  share: { id: string; reportId: string } | null
}

/** A session that has not ended, with its link. */
export async function selectSession(tx: SystemTx, hash: Buffer): Promise<FoundSession | undefined> {
  const row = await tx.maybeRow(sql<Flat & Pick<FoundSession, 'customerId' | 'linkHash' | 'isVerified' | 'share'>>`
    select ${realmColumns}, l.customer_id as "customerId", l.hash as "linkHash", s.is_verified as "isVerified", l.wrong_tries as "wrongTries",
           case when x.id is not null then jsonb_build_object('id', x.id, 'reportId', x.report_id) end as share,
           least(l.expires_at, x.expires_at) as "expiresAt"
    from personal_sessions s
    join personal_links l on l.realm_id = s.realm_id and l.hash = s.link_hash
    left join report_shares x on x.realm_id = l.realm_id and x.link_hash = l.hash
    join realms r on r.id = s.realm_id
    where s.hash = ${hash} and s.expires_at > ${tx.now}`)
  return row && { ...row, realm: { id: row.id, businessId: row.businessId, mode: row.mode } }
}

interface NewSession {
  hash: Buffer
  linkHash: Buffer
  isVerified: boolean
  expiresAt: Date
}

export async function insertSession(tx: Tx, { hash, linkHash, isVerified, expiresAt }: NewSession): Promise<void> {
  await tx.run(sql`
    insert into personal_sessions (realm_id, hash, link_hash, is_verified, expires_at)
    values (${tx.realm.id}, ${hash}, ${linkHash}, ${isVerified}, ${expiresAt})`)
}

export async function deleteSession(tx: Tx, hash: Buffer): Promise<void> {
  await tx.run(sql`delete from personal_sessions where realm_id = ${tx.realm.id} and hash = ${hash}`)
}

interface LockedLink extends LinkState {
  hash: Buffer
  customerId: number
  /** Of the customer; null: not known, or erased. */
  dateOfBirth: string | null
}

/** What opens a link, of all that is sealed of a customer. */
const born = sealedColumns<{ dateOfBirth: string | null }>({
  table: 'customers',
  key: { id: 'bigint' },
  clear: { dateOfBirth: 'date_of_birth' },
})

type StoredLink = Omit<LockedLink, 'dateOfBirth'> & { person: Sealed<{ dateOfBirth: string | null }> }

/** The link of a session with the date of birth that opens it. Locks the person, so that tries by several links are counted one after another. */
export async function lockLinkOfSession(tx: Tx, sessionHash: Buffer): Promise<LockedLink | undefined> {
  const row = await tx.maybeRow(sql<StoredLink>`
    select l.hash, l.customer_id as "customerId", l.expires_at as "expiresAt", l.wrong_tries as "wrongTries",
           ${born.of('c')} as person
    from personal_sessions s
    join personal_links l on l.realm_id = s.realm_id and l.hash = s.link_hash
    join customers c on c.realm_id = l.realm_id and c.id = l.customer_id
    where s.realm_id = ${tx.realm.id} and s.hash = ${sessionHash} and s.expires_at > ${tx.now} for no key update of c, l`)
  if (!row) return undefined
  const { person, ...link } = row
  const { dateOfBirth } = born.open(await keyringOf(tx), [link.customerId], person)
  return { ...link, dateOfBirth }
}

export async function saveLink(tx: Tx, hash: Buffer, link: LinkState): Promise<void> {
  await tx.run(sql`
    update personal_links set expires_at = ${link.expiresAt}, wrong_tries = ${link.wrongTries}
    where realm_id = ${tx.realm.id} and hash = ${hash}`)
}

export async function deleteLinks(tx: Tx, customerId: number): Promise<void> {
  await tx.run(sql`delete from personal_links where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}

/** Lets one try of a network be counted at a time. */
export async function lockNetwork(tx: SystemTx, network: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${`birth_date ${network}`}, 0))`)
}

/** A keyed hash stands for a network: it is counted, and nobody reads from where a person came. */
const hashOfNetwork = async (tx: Queries, network: string): Promise<string> =>
  (await tx.vault.hashIn())(OPERATOR, 'birth_date_failures.network', network).toString('hex')

/** `shareHash`: of the link to one report that was used. */
export async function insertFailure(
  tx: Tx,
  { customerId, network, shareHash }: { customerId: number; network: string; shareHash: Buffer | null },
): Promise<void> {
  await tx.run(sql`
    insert into birth_date_failures (realm_id, customer_id, network, at, share_hash)
    values (${tx.realm.id}, ${customerId}, ${await hashOfNetwork(tx, network)}, ${tx.now}, ${shareHash})`)
}

/**
 * Since a time, newest first: at the person's own links or at one shared report, and from a network at the same kind of link in
 * all realms. What others try at shared reports locks nobody out of their own pages.
 */
export async function selectFailures(
  tx: SystemTx,
  { realm, customerId, share, linkHash }: Pick<FoundSession, 'realm' | 'customerId' | 'share' | 'linkHash'>,
  network: string,
  since: Date,
): Promise<Failures> {
  const newest = (where: RawBuilder<unknown>, limit: number) =>
    tx.rows(sql<{ at: Date }>`
      select at from birth_date_failures where ${where} and at > ${since} order by at desc limit ${limit}`)
  const kindOfLink = share ? sql`share_hash is not null` : sql`share_hash is null`
  const ofPerson = await newest(
    share
      ? sql`share_hash = ${linkHash}`
      : sql`realm_id = ${realm.id} and customer_id = ${customerId} and ${kindOfLink}`,
    TRIES_A_DAY.person,
  )
  // Versions before sealing wrote the network itself.
  const networks = [await hashOfNetwork(tx, network), network]
  const fromNetwork = await newest(sql`network = any(${networks}) and ${kindOfLink}`, TRIES_A_DAY.network)
  return { ofPerson: ofPerson.map(({ at }) => at), fromNetwork: fromNetwork.map(({ at }) => at) }
}

export async function countRenewals(tx: Tx, customerId: number, since: Date): Promise<number> {
  const { total } = await tx.row(sql<{ total: number }>`
    select count(*) as total from personal_links
    where realm_id = ${tx.realm.id} and customer_id = ${customerId} and is_renewal and created_at > ${since}`)
  return total
}

export async function deleteEnded(tx: SystemTx, linksBefore: Date, failuresBefore: Date): Promise<void> {
  await tx.run(sql`delete from birth_date_failures where at <= ${failuresBefore}`)
  await tx.run(sql`delete from personal_sessions where expires_at <= ${tx.now}`)
  await tx.run(sql`delete from personal_links where expires_at <= ${linksBefore}`)
}

/**
 * Moves back the ends of this sandbox's personal links, shared reports and visits, and when they were made, by `ms`
 * milliseconds. Returns how many links ended. Wrong dates of birth stay: that limit stands against guessing.
 */
export async function advanceClock(tx: Tx, ms: number): Promise<{ personalLinks: number; sharedReports: number }> {
  const realm = tx.realm.id
  const back = sql`${ms} * interval '1 millisecond'`
  const ended = await tx.row(sql<{ personalLinks: number; sharedReports: number }>`
    select (count(*) filter (where x.id is null))::int as "personalLinks", count(x.id)::int as "sharedReports"
    from personal_links l left join report_shares x on x.realm_id = l.realm_id and x.link_hash = l.hash
    where l.realm_id = ${realm} and least(l.expires_at, x.expires_at) > ${tx.now}
      and least(l.expires_at, x.expires_at) - ${back} <= ${tx.now}`)
  await tx.run(sql`
    update personal_links p set created_at = p.created_at - ${back}, expires_at = p.expires_at - ${back}
    from (select hash from personal_links where realm_id = ${realm} order by hash for no key update) l
    where p.realm_id = ${realm} and p.hash = l.hash`)
  await tx.run(sql`
    update report_shares set created_at = created_at - ${back}, expires_at = expires_at - ${back},
      opened_at = opened_at - ${back}
    where realm_id = ${realm}`)
  await tx.run(sql`update personal_sessions set expires_at = expires_at - ${back} where realm_id = ${realm}`)
  return ended
}

/** Links to a person's pages with their sessions and shares, and wrong dates of birth. */
export async function deleteLinksAndFailures(tx: Tx, customerId: number): Promise<void> {
  await tx.run(sql`delete from personal_links where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
  await tx.run(sql`delete from birth_date_failures where realm_id = ${tx.realm.id} and customer_id = ${customerId}`)
}

/** For whom a report is shared. */
interface SharedWith {
  forWhom: string
}

export const sealedShares = sealedColumns<SharedWith>({
  table: 'report_shares',
  key: { id: 'text' },
  clear: { forWhom: NEVER },
  emptied: [],
})

interface NewShare extends SharedWith {
  id: string
  hash: Buffer
  customerId: number
  reportId: string
  expiresAt: Date
}

export async function insertShare(tx: Tx, { id, hash, customerId, reportId, expiresAt, forWhom }: NewShare) {
  const sealed = sealedShares.seal(await keyringOf(tx), [id], { forWhom })
  await insertLinks(tx, [{ hash, customerId, expiresAt, isRenewal: false }])
  await tx.run(sql`
    insert into report_shares (realm_id, id, link_hash, customer_id, report_id, created_at, expires_at, sealed)
    values (${tx.realm.id}, ${id}, ${hash}, ${customerId}, ${reportId}, ${tx.now}, ${expiresAt}, ${sealed}::bytea)`)
}

export interface ShareRow extends SharedWith {
  id: string
  createdAt: Date
  expiresAt: Date
  /** Last; null: never. */
  openedAt: Date | null
}

/** The links to a report of a person that are kept still, newest first. */
export async function selectShares(tx: Tx, customerId: number, reportId: string): Promise<ShareRow[]> {
  const rows = await tx.rows(sql<Omit<ShareRow, 'forWhom'> & { shared: Sealed<SharedWith> }>`
    select s.id, s.created_at as "createdAt", least(s.expires_at, l.expires_at) as "expiresAt", s.opened_at as "openedAt",
           ${sealedShares.of('s')} as shared
    from report_shares s join personal_links l on l.realm_id = s.realm_id and l.hash = s.link_hash
    where s.realm_id = ${tx.realm.id} and s.customer_id = ${customerId} and s.report_id = ${reportId}
    order by s.created_at desc, s.id limit 50`)
  const keys = await keyringOf(tx)
  return rows.map(({ shared, ...row }) => ({ ...row, ...sealedShares.open(keys, [row.id], shared) }))
}

/** False if there is no such link that has not ended. */
export async function endShare(tx: Tx, customerId: number, reportId: string, id: string): Promise<boolean> {
  const changed = await tx.run(sql`
    update report_shares set expires_at = ${tx.now}
    where realm_id = ${tx.realm.id} and customer_id = ${customerId} and report_id = ${reportId} and id = ${id}
      and expires_at > ${tx.now}`)
  return changed === 1
}

export async function markShareOpened(tx: Tx, id: string): Promise<void> {
  await tx.run(sql`update report_shares set opened_at = ${tx.now} where realm_id = ${tx.realm.id} and id = ${id}`)
}
