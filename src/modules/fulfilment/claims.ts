import { sentence } from '@kitlane/display/sentence'
import { AppError } from '../../domain/errors.ts'
import { type SystemTx, within } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { kitsToSendAgain } from '../undelivered/service.ts'
import {
  deleteClaim,
  deleteClaims,
  lockNextKit,
  type Packer,
  selectHeldKit,
  selectHolder,
  writeClaim,
} from './claim-queries.ts'
import { countQueue, type LockedKit, lockLiveKits, selectAtWarehouse } from './queries.ts'
import { AT_WAREHOUSE } from './rules.ts'
import { findQueued, scan } from './scan.ts'
import type { KitToPack } from './schema.ts'

// Longer than it takes to pack a kit, and short enough that a kit claimed by a closed browser is packed the same morning.
const CLAIM_MS = 10 * 60_000

export interface Wanted {
  /** The kit in hand; absent: the one that waits longest. */
  kitId?: string
  businessId?: string
  /** Left for later by this packer. */
  skip: readonly string[]
}

/**
 * Gives a kit to one packer for ten minutes: the one named, the one they have already, or the oldest unclaimed one.
 * Asking again renews it, and a packer has one kit at a time.
 * @throws KIT_NOT_FOUND; ILLEGAL_TRANSITION when it does not wait to be packed; KIT_CLAIMED while another packs it
 */
export async function claimKit(
  tx: SystemTx,
  packer: Packer,
  wanted: Wanted,
): Promise<{ kit?: KitToPack; waiting: number }> {
  const kitId = wanted.kitId === undefined ? await takeNext(tx, packer, wanted) : await take(tx, packer, wanted.kitId)
  await deleteClaims(tx, packer, kitId)
  const kit = kitId === undefined ? undefined : await findQueued(tx, kitId)
  return {
    ...(kit && { kit }),
    waiting: await countQueue(tx, wanted.businessId === undefined ? undefined : [wanted.businessId]),
  }
}

/** Releases a kit that was not packed; false where this packer does not hold it. */
export const releaseKit = deleteClaim

async function takeNext(tx: SystemTx, packer: Packer, wanted: Wanted): Promise<string | undefined> {
  const held = await selectHeldKit(tx, packer, wanted.businessId)
  if (held !== undefined && !wanted.skip.includes(held)) return take(tx, packer, held)
  for (;;) {
    const kitId = await lockNextKit(tx, wanted)
    if (kitId === undefined) return undefined
    const [kit] = await lockLiveKits(tx, [kitId])
    // A claim that was committed since the look, or a warehouse that took it: the next look sees it.
    if (kit && !(await isAtWarehouse(tx, kitId)) && (await write(tx, packer, kit))) return kitId
  }
}

async function take(tx: SystemTx, packer: Packer, kitId: string): Promise<string> {
  const [kit] = await lockLiveKits(tx, [kitId])
  if (!kit || (kit.kitStatus !== 'preparing' && !(await goesAgain(tx, kit)))) {
    const { expected, sentence: todo } = await scan(tx, kitId, { recipient: false })
    // What is said of a sample that may come is for the station that takes it in.
    const why = expected === 'intake' ? sentence('It was shipped already.') : todo
    throw new AppError('ILLEGAL_TRANSITION', sentence('This kit does not wait to be packed. {why}', { why }))
  }
  if (await isAtWarehouse(tx, kitId)) throw new AppError('ILLEGAL_TRANSITION', AT_WAREHOUSE)
  if (await write(tx, packer, kit)) return kitId
  const who = (await selectHolder(tx, kitId)) ?? 'Somebody else'
  throw new AppError('KIT_CLAIMED', `${who} is packing this kit now. Leave it to them and take another one.`)
}

const isAtWarehouse = async (tx: SystemTx, kitId: string) => (await selectAtWarehouse(tx, [kitId])).has(kitId)

const goesAgain = async (tx: SystemTx, { realm, kitId }: LockedKit) =>
  (await kitsToSendAgain(within(tx, realm), [kitId])).has(kitId)

async function write(tx: SystemTx, packer: Packer, kit: LockedKit): Promise<boolean> {
  const isRenewed = (await selectHeldKit(tx, packer)) === kit.kitId
  const isWritten = await writeClaim(tx, packer, kit, new Date(tx.now.getTime() + CLAIM_MS))
  if (isWritten && !isRenewed) {
    await audit.record(within(tx, kit.realm), [{ action: 'kit.claimed', objectType: 'kit', objectId: kit.kitId }])
  }
  return isWritten
}
