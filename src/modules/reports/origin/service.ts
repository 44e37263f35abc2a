import type { Origin } from '@kitlane/lab-reader/parse/origin'
import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId } from '../../../domain/ids.ts'
import type { SystemTx, Tx } from '../../../platform/database/tx.ts'
import { recordSystem } from '../../audit/service.ts'
import { countOrders, deleteProfile, selectProfiles, upsertProfile } from './queries.ts'
import { completed, emptyOrigin, mergedOrigin } from './rules.ts'
import type { Profile, StoredProfile } from './schema.ts'

/** Where results come from: what the message says, completed by the operator's profiles, with what was known before. */
export async function originOf(
  tx: Tx,
  stated: Origin | undefined,
  { before, isForKit }: { before?: Origin | null | undefined; isForKit: boolean },
): Promise<Origin> {
  return mergedOrigin(before ?? undefined, completed(stated ?? emptyOrigin, await selectProfiles(tx), isForKit))
}

/** Adds a laboratory's profile, or changes it. @throws LABORATORY_NOT_FOUND */
export async function saveProfile(tx: SystemTx, profile: Profile, id?: string): Promise<StoredProfile> {
  if (id !== undefined) await find(tx, id)
  const saved = id ?? newOpaqueId('lab')
  await upsertProfile(tx, saved, profile)
  const action = id === undefined ? 'laboratory.added' : 'laboratory.changed'
  await recordSystem(tx, [{ action, objectType: 'laboratory', objectId: saved, details: { ...profile } }])
  return find(tx, saved)
}

/** Removes a profile; reports keep its content. @throws LABORATORY_NOT_FOUND; ILLEGAL_TRANSITION while it has orders */
export async function removeProfile(tx: SystemTx, id: string): Promise<void> {
  const orders = await countOrders(tx, id)
  if (orders > 0) {
    throw new AppError(
      'ILLEGAL_TRANSITION',
      `This laboratory has open orders (${orders}): give it no new ones, and remove it once these have ended or are closed`,
    )
  }
  if (!(await deleteProfile(tx, id))) throw notFound()
  await recordSystem(tx, [{ action: 'laboratory.removed', objectType: 'laboratory', objectId: id }])
}

async function find(tx: SystemTx, id: string): Promise<StoredProfile> {
  const profile = (await selectProfiles(tx)).find((one) => one.id === id)
  if (!profile) throw notFound()
  return profile
}

const notFound = () => new AppError('LABORATORY_NOT_FOUND', 'There is no such laboratory')
