import { AppError } from '../../domain/errors.ts'
import type { Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { orderRefusalSentence, refusalsOf } from '../catalogue/eligibility.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import { selectPanelRules } from '../catalogue/queries.ts'
import { kitReplaced } from '../emails/templates.ts'
import { isTestingStopped } from './consent/withdraw.ts'
import { createKits } from './create.ts'
import { emailsTo, queueEmails } from './emails.ts'
import { applyChanges, lockKit } from './move.ts'
import type { KitRow } from './queries.ts'
import { stateOf } from './records.ts'
import { current, illegal, type KitEvent } from './rules.ts'

// Lost is a deliveryException, either way; a collectionException is a sample that could not be taken.
const replaceable: readonly KitEvent[] = ['sampleRejected', 'deliveryException', 'collectionException']

/** Why no other kit may be sent to where these went, by kit: a panel may be offered in fewer places than when it was ordered. */
export async function unsendable(tx: Tx, kits: readonly KitRow[]): Promise<Map<string, string>> {
  const kitTypes = [...new Set(kits.map(({ kitType }) => kitType))]
  const rules = kits.length > 0 ? await selectPanelRules(tx, kitTypes) : []
  return new Map(
    kits.flatMap(({ id, kitType, sentTo: address }): [string, string][] => {
      const panel = rules.find((one) => one.kitType === kitType)
      const [refusal] = panel ? refusalsOf(panel, { address }) : []
      return panel && refusal ? [[id, orderRefusalSentence(refusal, publicKitType(kitType), panel)]] : []
    }),
  )
}

/**
 * Sends a free kit of the same type in the same order for one that was lost, failed or rejected. A kit is replaced once;
 * its replacement may be replaced in turn. `isEmailWanted`: the person tested hears of it though the order wants no e-mails.
 * @throws KIT_NOT_FOUND, ILLEGAL_TRANSITION; ORDER_NOT_ALLOWED where the panel is no longer offered at the address of its order
 */
export async function replaceKit(
  tx: Tx,
  kitId: string,
  reason: string,
  { isEmailWanted = false } = {},
): Promise<{ kitId: string; replacementKitId: string; orderId: string }> {
  const kit = await lockKit(tx, kitId)
  const state = stateOf(kit)
  if (kit.replacedBy !== null) throw illegal(state, 'replaced', 'This kit has a replacement already')
  if (!replaceable.includes(current(state)))
    throw illegal(state, 'replaced', 'Only a kit that was lost, or whose sample failed or was rejected, is replaced')
  if (await isTestingStopped(tx, kitId))
    throw illegal(state, 'replaced', 'The person took back the consent to this test, so there is nothing to replace')
  const refusal = (await unsendable(tx, [kit])).get(kitId)
  if (refusal) throw new AppError('ORDER_NOT_ALLOWED', refusal)
  const [made] = await createKits(tx, [{ orderId: kit.orderId, kitType: kit.kitType, replacementFor: kitId }])
  if (!made) throw new Error('no replacement was made')
  await applyChanges(tx, [{ kit, steps: [], besides: { replacedBy: made.id } }])
  const content = kitReplaced(kit.id, made.id)
  const person = kit.customerId === null ? undefined : content
  await queueEmails(tx, emailsTo(kit, { recipient: content, person }, { isWanted: isEmailWanted }))
  await audit.record(tx, [
    {
      action: 'kit.replaced',
      objectType: 'kit',
      objectId: kitId,
      details: { replacementKitId: made.id },
      words: { reason },
    },
  ])
  return { kitId, replacementKitId: made.id, orderId: kit.orderId }
}
