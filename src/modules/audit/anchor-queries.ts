import { sql } from 'kysely'
import type { SystemTx } from '../../platform/database/tx.ts'

export interface AnchorRow {
  number: number
  at: Date
  previous: Buffer
  /** A line for each chain: its number, that of its newest seal, and the hash of that. */
  seals: string
  digest: Buffer
}

const columns = sql`number, at, previous, seals, digest`

/** Waits until nothing is being sealed or anchored, and keeps it so until the transaction ends. */
export async function lockAnchors(tx: SystemTx): Promise<void> {
  await tx.run(sql`select 1 from audit_sealing for update`)
}

export const selectLastAnchor = (tx: SystemTx): Promise<AnchorRow | undefined> =>
  tx.maybeRow(sql<AnchorRow>`select ${columns} from audit_anchors order by number desc limit 1`)

export const selectAnchors = (tx: SystemTx, above: number, limit: number): Promise<AnchorRow[]> =>
  tx.rows(sql<AnchorRow>`select ${columns} from audit_anchors where number > ${above} order by number limit ${limit}`)

/** The ends of the chains that were sealed since then; of all of them without it. */
export const selectGrownChains = (
  tx: SystemTx,
  since: Date | undefined,
): Promise<{ chain: number; number: number; hash: Buffer }[]> =>
  tx.rows(sql<{ chain: number; number: number; hash: Buffer }>`
    select c.chain, c.seals as number, c.hash from audit_chains c
    join audit_seals s on s.chain = c.chain and s.number = c.seals
    where ${since ? sql`s.sealed_at >= ${since}` : sql`true`} order by c.chain`)

export async function insertAnchor(tx: SystemTx, { number, at, previous, seals, digest }: AnchorRow): Promise<void> {
  await tx.run(sql`
    insert into audit_anchors (number, at, previous, seals, digest) values (${number}, ${at}, ${previous}, ${seals}, ${digest})`)
}

/** The first seal that an anchor names and that the chains do not have, or have with another hash. */
export const selectUnlikeSeal = (
  tx: SystemTx,
  anchor: number,
): Promise<{ chain: number; number: number } | undefined> =>
  tx.maybeRow(sql<{ chain: number; number: number }>`
    select n.chain, n.number
    from (select split_part(l, ' ', 1)::int as chain, split_part(l, ' ', 2)::bigint as number, split_part(l, ' ', 3) as hash
          from audit_anchors a cross join lateral string_to_table(nullif(a.seals, ''), E'\n') as l where a.number = ${anchor}) n
    left join audit_seals s on s.chain = n.chain and s.number = n.number
    where encode(s.hash, 'hex') is distinct from n.hash order by n.chain limit 1`)
