import type { Tx } from '../../platform/database/tx.ts'
import { settings } from '../businesses/service.ts'
import { findPanel } from '../catalogue/service.ts'
import type { ChangedKit, KitFact, RefusedSpecimen } from '../kits/changed-kit.ts'
import { isTakenBack } from '../kits/consent/withdraw.ts'
import { type KitRow, lockKits } from '../kits/queries.ts'
import { isSampleRecalled } from '../kits/recall-queries.ts'
import { stateOf } from '../kits/records.ts'
import { isFinal } from '../kits/rules.ts'
import { causesAtDock, causesOfCodes, hasResults } from './decision.ts'
import { deleteOfKits, type HoldRow, selectOfKits } from './queries.ts'
import { announce, askedAt, begin, change, close, factsOf, openCauses, saidDayOf } from './record.ts'
import { canBeHeld, isErased, isInDoubt, problemOfDay, whyNotTested } from './service.ts'

/** What the steps of kits mean for their holds, whoever caused them. */
export async function afterKitChanges(tx: Tx, changed: readonly ChangedKit[]): Promise<void> {
  // Nothing is held before it was shipped.
  const shipped = changed.filter(
    ({ before, after }) => (before.progress.kitInTransit ?? after.progress.kitInTransit) !== undefined,
  )
  if (shipped.length === 0) return
  const ids = shipped.map(({ after }) => after.id)
  const rows = new Map((await selectOfKits(tx, ids)).map((row) => [row.kitId, row]))
  for (const { before, after, steps, written } of shipped) {
    const row = rows.get(after.id)
    const event = steps.at(-1)?.event
    const isTakenBack = before.progress.sampleReceived !== undefined && after.progress.sampleReceived === undefined
    const stood = before.beforeRejection
    const isUndone =
      before.sampleStatus === 'rejected' &&
      after.sampleStatus !== 'rejected' &&
      (!isTakenBack || (stood?.kitStatus === after.kitStatus && stood.sampleStatus === after.sampleStatus))
    if (row && isTakenBack && !isUndone) await deleteOfKits(tx, [after.id])
    else if (row?.state === 'discarded' && isUndone && !isErased(after)) await begin(tx, after, openCauses(row))
    else if (row?.state === 'open') await follow(tx, after, row)
    else if (event === 'sampleReceived' && !isErased(after) && before.progress.sampleReceived === undefined) {
      const asked = await atDock(tx, after)
      if (asked !== null) written.add(asked)
    }
  }
}

async function follow(tx: Tx, kit: KitRow, row: HoldRow): Promise<void> {
  const isRejected = kit.sampleStatus === 'rejected'
  if (!isRejected && !isFinal(stateOf(kit))) await change(tx, kit, row)
  else await announce(tx, await close(tx, row, isRejected ? 'laboratory' : 'tested'))
}

/** Chasing begins where the sample is taken in, unless it is not tested. Returns who was asked. */
async function atDock(tx: Tx, kit: KitRow): Promise<string | null> {
  if (await whyNotTested(tx, kit)) return null
  const facts = await factsOf(tx, kit)
  const wants = {
    consent: (await settings(tx)).requireConsent,
    collectionDate: (await findPanel(tx, kit.kitType)).collectionDateNeeded,
  }
  const found = causesAtDock(facts, wants)
  return found.length > 0 ? askedAt(kit, await begin(tx, kit, found)) : null
}

/** A consent, a name that was corrected, or a day that was said may be what a hold waits for. A sample that is not tested waits for nothing. */
export async function afterKitFacts(tx: Tx, kitIds: readonly string[], fact: KitFact): Promise<void> {
  const open = (await selectOfKits(tx, kitIds)).filter(({ state }) => state === 'open')
  const openIds = open.map(({ kitId }) => kitId)
  const kits = open.length > 0 ? await lockKits(tx, openIds) : []
  for (const row of open) {
    const kit = kits.find(({ id }) => id === row.kitId)
    if (kit && (await isOver(tx, kit, fact))) await announce(tx, await close(tx, row, 'laboratory'))
    else if (kit && fact === 'collection')
      await change(tx, kit, row, { collectedOn: (await saidDayOf(tx, kit)) ?? row.collectedOn })
    else if (kit) await change(tx, kit, row, fact === 'name' ? { isNameConfirmed: true, proposal: null } : {})
  }
}

/** Results stay where a consent was taken back: the hold ends nevertheless, since nobody is asked for anything more. */
const isOver = async (tx: Tx, kit: KitRow, fact: KitFact): Promise<boolean> =>
  fact === 'recall'
    ? !hasResults(kit) && (await isSampleRecalled(tx, kit))
    : fact === 'consent' && (await isTakenBack(tx, kit.id))

/** What a laboratory's message says of its sample. It holds nothing that has results, and sent again it asks nothing again. */
export async function afterSpecimen(tx: Tx, { kitId, codes, collectedOn: told }: RefusedSpecimen): Promise<void> {
  const [kit] = await lockKits(tx, [kitId])
  if (!kit) return
  const collectedOn = told === undefined || problemOfDay(tx, kit, told) ? undefined : told
  const [row] = await selectOfKits(tx, [kitId])
  const found = causesOfCodes(codes).filter((cause) => !row?.causes.includes(cause))
  const isUnregistered = kit.registeredAt === null && !isInDoubt(kit)
  const causes = isUnregistered ? (['notRegistered', ...found] as const) : found
  if (causes.length > 0 && canBeHeld(kit) && !(await whyNotTested(tx, kit)))
    await begin(tx, kit, causes, { collectedOn })
  else if (row?.state === 'open' && collectedOn !== undefined) await change(tx, kit, row, { collectedOn })
}
