import { newOpaqueId, newSecret } from '../../domain/ids.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { hashToken } from '../../platform/tokens.ts'
import * as audit from '../audit/service.ts'
import { endShare, insertShare, markShareOpened, type ShareRow, selectShares } from './queries.ts'
import { SHARE } from './rules.ts'

export type { ShareRow } from './queries.ts'

const DAY_MS = 86_400_000
const MOST_OPEN = 10

export interface WantedShare {
  customerId: number
  reportId: string
  /** Whom the person named. */
  forWhom: string
  days: 7 | 30
}

/**
 * Makes a link to one report, for somebody whom the person named. Only its hash is kept. Returns its secret; undefined where ten
 * links to this report are open.
 */
export async function share(
  tx: Tx,
  { customerId, reportId, forWhom, days }: WantedShare,
): Promise<{ id: string; secret: string } | undefined> {
  const open = (await listShares(tx, customerId, reportId)).filter(({ expiresAt }) => expiresAt > tx.now)
  if (open.length >= MOST_OPEN) return undefined
  const [id, secret] = [newOpaqueId('share'), newSecret()]
  const expiresAt = new Date(tx.now.getTime() + days * DAY_MS)
  await insertShare(tx, { id, hash: hashToken(`${SHARE}${secret}`), customerId, reportId, expiresAt, forWhom })
  const details = { share: id, until: expiresAt.toISOString() }
  await audit.record(tx, [
    { action: 'report.shared', objectType: 'report', objectId: reportId, details, words: { who: forWhom } },
  ])
  return { id, secret }
}

/** The links to a report of a person, newest first; ended ones for 30 days. */
export function listShares(tx: Tx, customerId: number, reportId: string): Promise<ShareRow[]> {
  return selectShares(tx, customerId, reportId)
}

/** Ends a link at once, with the visits that it began. Of one that has ended nothing happens. */
export async function revokeShare(tx: Tx, customerId: number, reportId: string, id: string): Promise<void> {
  if (!(await endShare(tx, customerId, reportId, id))) return
  await audit.record(tx, [
    { action: 'report.share_revoked', objectType: 'report', objectId: reportId, details: { share: id } },
  ])
}

/** Notes that somebody opened a report by a link. */
export const openedShare = (tx: Tx, id: string): Promise<void> => markShareOpened(tx, id)
