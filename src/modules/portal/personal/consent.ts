import { AppError } from '../../../domain/errors.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { consentHistory } from '../../kits/consent/history.ts'
import type { Withdrawable } from '../../kits/consent/schema.ts'
import { findText } from '../../kits/consent/texts.ts'
import { standingConsent, withdrawConsent } from '../../kits/consent/withdraw.ts'
import { type KitRow, selectKitsByIds } from '../../kits/queries.ts'
import type { GivenConsent } from '../view/consent.ts'

/** A kit of a person; undefined if it is not theirs. */
export async function maybeFindOwnKit(tx: Tx, customerId: number, kitId: string): Promise<KitRow | undefined> {
  const [kit] = await selectKitsByIds(tx, [kitId])
  return kit?.customerId === customerId ? kit : undefined
}

/** What a person agreed to for a kit of theirs; undefined if it is not theirs. The audit records the view. */
export async function viewConsent(tx: Tx, customerId: number, kitId: string): Promise<GivenConsent | undefined> {
  const kit = await maybeFindOwnKit(tx, customerId, kitId)
  if (!kit) return undefined
  const entries = (await consentHistory(tx, [kitId], false)).get(kitId) ?? []
  const agreed = entries.findLast(({ type }) => type === 'agreed')
  await audit.record(tx, [{ action: 'kit.consent_viewed', objectType: 'kit', objectId: kitId }])
  return {
    kitId,
    agreedAt: agreed?.at,
    words: agreed?.consentVersion === undefined ? undefined : await maybeFindWords(tx, agreed.consentVersion),
    ...(await standingConsent(tx, kit)),
    withdrawals: entries.flatMap(({ what, at }) => (what ? [{ what, at }] : [])),
  }
}

async function maybeFindWords(tx: Tx, version: string): Promise<GivenConsent['words']> {
  try {
    return await findText(tx, version)
  } catch (err) {
    if (err instanceof AppError && err.code === 'CONSENT_TEXT_NOT_FOUND') return undefined
    throw err
  }
}

/** Takes back what a person agreed to for a kit of theirs; false if it is not theirs. A second time nothing happens. */
export async function withdrawOwnConsent(
  tx: Tx,
  customerId: number,
  kitId: string,
  what: Withdrawable,
): Promise<boolean> {
  if (!(await maybeFindOwnKit(tx, customerId, kitId))) return false
  try {
    await withdrawConsent(tx, kitId, what)
  } catch (err) {
    if (!(err instanceof AppError && err.code === 'NOTHING_TO_WITHDRAW')) throw err
  }
  return true
}
