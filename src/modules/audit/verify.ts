import type { Actor, Database, SystemTx } from '../../platform/database/tx.ts'
import * as verification from '../../platform/database/verification.ts'
import { type ArchivedChain, selectArchived } from './archive-queries.ts'
import * as sealQueries from './seal-queries.ts'

/** How far a chain is proven in a pass, and where the pass ends. */
interface Chain {
  seals: number
  /** Of that seal, hexadecimal. */
  hash: string
  /** How many entries the proven seals list, and the sum of their IDs. */
  entries: number
  ids: string
  /** The same of the entries that are in the log. */
  found: number
  foundIds: string
  target: { seals: number; hash: string }
}

/** First the seals of each chain, then whether there is any entry that no seal lists. */
interface Walk {
  /** Up to here all entries were sealed when the pass began. */
  sealed: sealQueries.Sealed
  /** Up to here the log was read. */
  walk: sealQueries.Sealed
  /** The chain whose archived part does not fit. */
  broken?: number
  /** There are entries with a negative number or transaction. */
  uncounted?: true
}

export interface AuditVerification {
  /** Sealed, or waiting for the next seal; where something is wrong, as many as were reached. */
  entries: number
  sealed: number
  /**
   * As far as the seals can tell: everything that is sealed is as it was, and something is. Anyone who removes the newest seals and
   * sets their chain back, or removes a whole chain, is found only by an anchor that was kept elsewhere.
   */
  intact: boolean
  /** The first thing found wrong, as a sentence. */
  brokenAt?: string
}

const words = {
  changed: 'an entry of this seal, or the seal itself, was changed',
  missing: 'an entry of this seal was removed',
  gap: 'the seal before this one was removed',
  end: 'the seals at the end were removed',
  outside: 'an entry was put in among those that were sealed',
  archived: 'what is left of its archived seals was changed',
  order: 'the order of its entries was changed',
  uncounted: 'with a negative number or transaction was put in',
}

const NEW: Omit<Chain, 'target'> = { seals: 0, hash: '', entries: 0, ids: '0', found: 0, foundIds: '0' }
const START: sealQueries.Sealed = { xact: 0, id: 0, floor: 0 }
const NO_TARGET = { seals: 0, hash: '' }
// Seals that are looked at for a batch; the bytes of their entries bound it too.
const SEALS_AT_ONCE = 1000
const ENTRIES_AT_ONCE = 20_000

/** Of a chain whose first seals were archived, the last of these is where it begins. */
const beginning = (archived: ArchivedChain | undefined): typeof NEW =>
  archived ? { ...NEW, seals: archived.seals, hash: archived.hash, entries: archived.rest, ids: archived.restIds } : NEW

const plus = (a: string, b: string) => String(BigInt(a) + BigInt(b))
const found = (chain: number, number: number | undefined, what: keyof typeof words) =>
  `${chain === 0 ? 'entries of no business' : `realm ${chain}`}${number === undefined ? '' : `, seal ${number}`}: ${words[what]}`

const verifier: verification.Verifier<Walk, Chain, string> = { name: 'audit', begin, batch }

async function begin(
  tx: SystemTx,
  last: verification.Pass<Walk, Chain> | undefined,
): Promise<verification.Pass<Walk, Chain> | undefined> {
  const { sealed, chains } = await sealQueries.selectEnds(tx)
  // Transactions are counted again since: nothing shows what was read before.
  if (last && last.head.sealed.floor !== sealed.floor) return undefined
  const targets = new Map(chains.map(({ chain, seals, hash }) => [chain, { seals, hash }]))
  const known = new Set([...(last?.parts.keys() ?? []), ...targets.keys()])
  const archived = new Map((await selectArchived(tx)).map((one) => [one.chain, one]))
  const parts = [...known].map((chain): [number, Chain] => [
    chain,
    { ...(last?.parts.get(chain) ?? beginning(archived.get(chain))), target: targets.get(chain) ?? NO_TARGET },
  ])
  const broken = [...archived.values()].find(({ isRight }) => !isRight)?.chain
  const uncounted = await sealQueries.hasUncounted(tx)
  return {
    head: {
      sealed,
      walk: last?.head.walk ?? START,
      ...(broken !== undefined && { broken }),
      ...(uncounted && { uncounted }),
    },
    parts: new Map(parts),
  }
}

async function batch(
  tx: SystemTx,
  pass: verification.Pass<Walk, Chain>,
): Promise<verification.Batch<Walk, Chain, string>> {
  await tx.allowMs(60_000)
  const { head, parts } = pass
  if (head.uncounted) return ended(head, `an entry ${words.uncounted}`)
  if (head.broken !== undefined) return ended(head, found(head.broken, undefined, 'archived'))
  for (const [chain, { seals, hash, target }] of parts) {
    const isShort = target.seals < seals || (target.seals === seals && target.hash !== hash)
    if (isShort) return ended(head, found(chain, target.seals, 'end'))
  }
  const wanted = wantedOf(parts)
  return wanted.length > 0 ? provenSeals(tx, pass, wanted) : foundEntries(tx, pass)
}

const ended = (head: Walk, finding?: string): verification.Batch<Walk, Chain, string> => ({
  head,
  moved: [],
  isOver: true,
  percent: 100,
  ...(finding !== undefined && { finding }),
})

function wantedOf(parts: verification.Pass<Walk, Chain>['parts']): sealQueries.WantedSeals[] {
  const wanted: sealQueries.WantedSeals[] = []
  let left = SEALS_AT_ONCE
  for (const [chain, { seals, hash, target }] of [...parts].sort(([a], [b]) => a - b)) {
    if (left <= 0) break
    const upTo = Math.min(target.seals, seals + left)
    if (upTo > seals) wanted.push({ chain, above: seals, upTo, hash })
    left -= upTo - seals
  }
  return wanted
}

async function provenSeals(
  tx: SystemTx,
  { head, parts }: verification.Pass<Walk, Chain>,
  wanted: readonly sealQueries.WantedSeals[],
): Promise<verification.Batch<Walk, Chain, string>> {
  const { seals, isCut } = await sealQueries.computeSeals(tx, wanted)
  const byChain = Map.groupBy(seals, ({ chain }) => chain)
  const moved: [number, Chain][] = []
  for (const { chain, upTo } of wanted) {
    const computed = byChain.get(chain)
    const before = parts.get(chain)
    if (!before || (!computed && isCut)) break
    const { after, problem } = onward(before, computed ?? [])
    if (problem) return { ...ended(head, found(chain, problem.number, problem.what)), moved }
    // Without a cut all that were asked for are there, or were removed.
    if (!isCut && after.seals < upTo)
      return { ...ended(head, found(chain, upTo, upTo === before.target.seals ? 'end' : 'gap')), moved }
    if (after.seals === before.target.seals && after.hash !== before.target.hash)
      return { ...ended(head, found(chain, after.seals, 'changed')), moved }
    moved.push([chain, after])
  }
  return { head, moved, isOver: false, percent: percentOf(new Map([...parts, ...moved]), head) }
}

function onward(chain: Chain, seals: readonly sealQueries.ComputedSeal[]) {
  let after = chain
  for (const { number, hash, now, listed, found: there, ids } of seals) {
    if (number !== after.seals + 1) return { after, problem: { number, what: 'gap' as const } }
    if (there < listed) return { after, problem: { number, what: 'missing' as const } }
    if (hash !== now) return { after, problem: { number, what: 'changed' as const } }
    after = { ...after, seals: number, hash, entries: after.entries + listed, ids: plus(after.ids, ids) }
  }
  return { after, problem: undefined }
}

async function foundEntries(
  tx: SystemTx,
  { head, parts }: verification.Pass<Walk, Chain>,
): Promise<verification.Batch<Walk, Chain, string>> {
  const { sealed, walk } = head
  const { chains, last } = await sealQueries.selectFound(tx, walk, sealed, ENTRIES_AT_ONCE)
  if (!last && walk.floor < sealed.floor) {
    const next = { ...head, walk: { ...START, floor: sealed.floor } }
    return { head: next, moved: [], isOver: false, percent: percentOf(parts, next) }
  }
  if (!last) return ended({ ...head, walk: sealed }, unlike(parts))
  const moved = chains.map(({ chain, entries, ids }): [number, Chain] => {
    const before = parts.get(chain) ?? { ...NEW, target: NO_TARGET }
    return [chain, { ...before, found: before.found + entries, foundIds: plus(before.foundIds, ids) }]
  })
  const next = { ...head, walk: { ...last, floor: walk.floor } }
  return { head: next, moved, isOver: false, percent: percentOf(parts, next) }
}

/** Every entry that a seal lists was found: so there is another one if the counts, or the sums, differ. */
function unlike(parts: verification.Pass<Walk, Chain>['parts']): string | undefined {
  for (const [chain, one] of parts) {
    if (one.found === one.entries && one.foundIds === one.ids) continue
    return found(chain, undefined, one.found > one.entries ? 'outside' : 'order')
  }
  return undefined
}

// Seals take most of the time.
function percentOf(parts: verification.Pass<Walk, Chain>['parts'], { walk, sealed }: Walk): number {
  const all = [...parts.values()]
  const seals = all.reduce((sum, chain) => sum + chain.seals, 0)
  const targets = all.reduce((sum, { target }) => sum + target.seals, 0)
  return Math.floor(90 * (targets ? seals / targets : 1) + 10 * Math.min(1, sealed.id ? walk.id / sealed.id : 1))
}

async function outcome(tx: SystemTx, parts: verification.Pass<Walk, Chain>['parts'], brokenAt: string | undefined) {
  const unsealed = await sealQueries.selectUnsealed(tx)
  const sealed = [...parts.values()].reduce((sum, chain) => sum + chain.entries, 0)
  const intact = brokenAt === undefined && sealed > 0
  return { entries: sealed + unsealed.entries, sealed, intact, ...(brokenAt !== undefined && { brokenAt }) }
}

/**
 * Computes every seal again from the entries as they are, in one transaction. A changed byte, a removed entry, a removed
 * seal and an entry that was put in later are found; only the newest entries, which wait for the next seal, are not covered yet.
 */
export async function verifyAudit(tx: SystemTx): Promise<AuditVerification> {
  const { parts, finding } = await verification.verifyIn(tx, verifier)
  return outcome(tx, parts, finding)
}

/** The same in batches, which keeps how far it came. */
export async function verifyAuditInBatches(
  database: Database,
  actor: Actor,
  options: verification.VerifyOptions,
): Promise<AuditVerification & verification.Run> {
  const run = await verification.verifyInBatches(database, actor, verifier, options)
  const { isOver, continued, wholeEndedAt } = run
  const found = await database.asSystem(actor, (tx) => outcome(tx, run.parts, run.finding))
  return { ...found, isOver, continued, wholeEndedAt }
}
