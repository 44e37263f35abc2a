import { sha256 } from '../../platform/crypto.ts'
import type { SystemTx } from '../../platform/database/tx.ts'
import * as sealQueries from './seal-queries.ts'

/** What is kept outside of the database: one line says how all chains stood, and all anchors before it. */
export interface Anchor {
  number: number
  at: Date
  digest: Buffer
}

const MARK = 'kitlane-anchor:1'

/** `kitlane-anchor:1 12 2030-01-31T03:07:00.000Z 9f86d0…`, to print, to send, to keep. */
export const anchorLine = ({ number, at, digest }: Anchor): string =>
  `${MARK} ${number} ${at.toISOString()} ${digest.toString('hex')}`

/** The anchors in a text, such as a mailbox or a file: whatever stands around them. */
export function anchorsIn(text: string): Anchor[] {
  const lines = text.matchAll(/kitlane-anchor:1 (\d{1,15}) (\d{4}-\d\d-\d\dT[\d:.]+Z) ([0-9a-f]{64})/g)
  return [...lines].map(([, number, at = '', digest = '']) => ({
    number: Number(number),
    at: new Date(at),
    digest: Buffer.from(digest, 'hex'),
  }))
}

const digestOf = ({ number, at, previous, seals }: Omit<sealQueries.AnchorRow, 'digest'>): Buffer =>
  sha256(Buffer.concat([previous, Buffer.from(`${number}\n${at.toISOString()}\n${seals}`)]))

// A seal is dated when its transaction begins. What has grown in the hour before the last anchor is named once more.
const OVERLAP_MS = 3_600_000

/** Makes an anchor of all chains as they are sealed now. It covers the anchors before it, too. */
export async function makeAnchor(tx: SystemTx): Promise<Anchor> {
  await sealQueries.lockAnchors(tx)
  const last = await sealQueries.selectLastAnchor(tx)
  const since = last && new Date(last.at.getTime() - OVERLAP_MS)
  const chains = await sealQueries.selectGrownChains(tx, since)
  const row = {
    number: (last?.number ?? 0) + 1,
    at: tx.now,
    previous: last?.digest ?? Buffer.alloc(0),
    seals: chains.map(({ chain, number, hash }) => `${chain} ${number} ${hash.toString('hex')}`).join('\n'),
  }
  const anchor = { ...row, digest: digestOf(row) }
  await sealQueries.insertAnchor(tx, anchor)
  return anchor
}

export interface AnchorVerification {
  /** Lines that were given and fit. */
  confirmed: number
  /** The newest of them: the chains are as they were until then. */
  until?: string
  brokenAt?: string
}

// A year of nights.
const AT_ONCE = 365

/**
 * Compares the chains with anchors that were kept outside. Somebody who owns the database can compute all seals and anchors
 * again, but not so that they fit a line that they cannot change. Without lines, only the anchors in the database are checked.
 */
export async function verifyAnchors(tx: SystemTx, given: readonly Anchor[]): Promise<AnchorVerification> {
  const wanted = Map.groupBy(given, ({ number }) => number)
  let previous: Buffer = Buffer.alloc(0)
  let [count, confirmed] = [0, 0]
  let until: string | undefined
  for (;;) {
    const rows = await sealQueries.selectAnchors(tx, count, AT_ONCE)
    for (const row of rows) {
      const problem = await problemOf(tx, row, { number: count + 1, previous })
      if (problem) return { confirmed, until, brokenAt: problem }
      for (const line of wanted.get(row.number) ?? []) {
        if (!line.digest.equals(row.digest)) return { confirmed, until, brokenAt: recomputed(line) }
        confirmed++
        until = row.at.toISOString()
      }
      wanted.delete(row.number)
      previous = row.digest
      count++
    }
    if (rows.length < AT_ONCE) break
  }
  const [missing] = [...wanted.values()].flat()
  if (missing) return { confirmed, until, brokenAt: gone(missing) }
  return { confirmed, ...(until && { until }) }
}

const recomputed = ({ number, at }: Anchor) =>
  `anchor ${number} of ${at.toISOString()}: the database has another one with this number, so that the chains were computed again`
const gone = ({ number, at }: Anchor) =>
  `anchor ${number} of ${at.toISOString()}: the database does not have it. It was removed, or the database is a backup from before it`

async function problemOf(
  tx: SystemTx,
  row: sealQueries.AnchorRow,
  expected: { number: number; previous: Buffer },
): Promise<string | undefined> {
  if (row.number !== expected.number) return `anchor ${expected.number}: it was removed`
  const fits = row.previous.equals(expected.previous) && digestOf(row).equals(row.digest)
  if (!fits) return `anchor ${row.number}: it was changed`
  const unlike = await sealQueries.selectUnlikeSeal(tx, row.number)
  if (!unlike) return undefined
  const where = unlike.chain === 0 ? 'entries of no business' : `realm ${unlike.chain}`
  return `${where}, seal ${unlike.number}: it is not the seal that anchor ${row.number} names`
}
