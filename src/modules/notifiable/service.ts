import { stateOf } from '@kitlane/display/postal-address'
import { regions } from '@kitlane/display/regions'
import { convert } from '@kitlane/lab-reader/facts/convert'
import type { z } from 'zod'
import { newOpaqueId } from '../../domain/ids.ts'
import { type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import { checkExchangeUrl } from '../../platform/egress/exchange.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import { selectUnknownBiomarkers } from '../catalogue/queries.ts'
import { biomarkers } from '../catalogue/service.ts'
import * as customers from '../customers/service.ts'
import type { ChangedKit, KitFact, RefusedSpecimen } from '../kits/changed-kit.ts'
import { problemOfFolder } from '../lab-orders/call.ts'
import { SEND_JOB } from './message.ts'
import { evaluateAgain, evaluateRead } from './notices.ts'
import {
  lockNotices,
  saveNotice,
  saveSetting,
  selectKitsWithNotices,
  selectPlaces,
  selectSettings,
  stripped,
} from './queries.ts'
import { countEnded } from './read.ts'
import { deadlineOf, undoubted, withoutWords } from './rules.ts'
import {
  type Authority,
  type AuthorityInput,
  openStates,
  type RuleInput,
  type SavedRule,
  type Sender,
} from './schema.ts'

/** States by their codes, as addresses have them. @throws VALIDATION_FAILED for one that there is not */
function statesIn<T extends { country: string; states: string[] }>(input: T): T {
  const { country, states } = input
  const known = !regions[country]
    ? states
    : states.map((one) => stateOf(one, country) ?? noState(one, country, 'states'))
  return { ...input, states: [...new Set(known)] }
}

const noState = (state: string, country: string, path: string) =>
  refuse([{ message: `${country} has no state ${state}: send its code or its name`, path }])

/** Saves a rule as it is here: who signs it has reviewed all of it. @throws VALIDATION_FAILED */
export async function saveRule(
  tx: SystemTx,
  { id = newOpaqueId('nrl'), ...input }: RuleInput,
): Promise<z.output<typeof SavedRule>> {
  const [unknown] = await selectUnknownBiomarkers(tx, input.biomarkers)
  if (unknown) refuse([{ message: `There is no biomarker ${unknown}`, path: 'biomarkers' }])
  const { answer } = input
  const known = await biomarkers(tx)
  for (const id of answer.kind === 'above' ? input.biomarkers : []) {
    const biomarker = known.find((one) => one.id === id)
    if (answer.kind === 'above' && biomarker && !convert(biomarker, answer.above, answer.unit))
      refuse([
        {
          message: `${biomarker.label} is kept in ${biomarker.unit || 'no unit'}: name that, or one that it can be converted from`,
          path: 'answer.unit',
        },
      ])
  }
  if (input.isActive && !input.signedBy)
    refuse([{ message: 'Say who reviewed the rule and signs it', path: 'signedBy' }])
  if (input.isActive && input.withinHours === null)
    refuse([{ message: 'Say within how many hours it is told', path: 'withinHours' }])
  const { rules } = await selectSettings(tx)
  const changedDate = tx.now.toISOString()
  const before = rules.find((one) => one.id === id && one.isActive)
  const activeSince = before ? before.activeSince : changedDate
  const rule = { ...statesIn(input), id, changedDate, ...(input.isActive && activeSince && { activeSince }) }
  await saved(tx, 'rule', id, rule)
  return { ...rule, endedNotices: await countEnded(tx, rules, [...rules.filter((one) => one.id !== id), rule]) }
}

/** @throws VALIDATION_FAILED where it cannot be reached so */
export async function saveAuthority(
  tx: SystemTx,
  { id = newOpaqueId('aut'), ...input }: AuthorityInput,
): Promise<Authority> {
  const { transport } = input
  const { hosts = [], folder } = tx.context.settings.labOrders
  const problem =
    transport.kind === 'mllp'
      ? checkExchangeUrl(transport.url, hosts)
      : transport.kind === 'folder' && folder !== undefined
        ? await problemOfFolder(folder, transport.folder)
        : transport.kind === 'folder' && 'LAB_ORDERS_FOLDER is not set'
  if (problem) refuse([{ message: problem, path: 'transport' }])
  const authority = { ...statesIn(input), id }
  await saved(tx, 'authority', id, authority)
  return authority
}

/** @throws VALIDATION_FAILED */
export async function saveSender(tx: SystemTx, { ordering, ...input }: Sender): Promise<Sender> {
  const state = stateOf(ordering.state, 'US') ?? noState(ordering.state, 'US', 'ordering.state')
  const sender = { ...input, ordering: { ...ordering, state } }
  await saved(tx, 'sender', 'sender', sender)
  return sender
}

async function saved(
  tx: SystemTx,
  ...[kind, id, one]: Parameters<typeof saveSetting> extends [unknown, ...infer R] ? R : never
) {
  await saveSetting(tx, kind, id, one)
  // What waited may be sent now.
  await tx.enqueue(SEND_JOB, { isAll: true })
  const details = 'signedBy' in one ? { isActive: one.isActive, signedBy: one.signedBy ?? '' } : {}
  await audit.recordSystem(tx, [
    { action: `notifiable_${kind}.saved`, objectType: `notifiable_${kind}`, objectId: id, details },
  ])
}

/** What became known of a person or a sample may complete a message, or change who is told. */
export async function afterKitFacts(tx: Tx, kitIds: readonly string[], fact: KitFact): Promise<void> {
  if (fact === 'consent' || fact === 'recall' || fact === 'notSentAgain') return
  for (const kitId of await selectKitsWithNotices(tx, kitIds)) await evaluateAgain(tx, { kitId, reportId: null })
}

/** Results of a sample that is rejected after them may be wrong: what is told of them, a person decides. Who publishes a report has read it. */
export async function afterKitChanges(tx: Tx, changed: readonly ChangedKit[]): Promise<void> {
  for (const { before, after, steps } of changed) {
    if (steps.some(({ event }) => event === 'sampleRejected'))
      await evaluateAgain(tx, { kitId: after.id, reportId: null }, 'sampleRejected')
    if (before.status !== 'published' && after.status === 'published') await evaluateRead(tx, after.id)
  }
}

/** Looks again at all that is not told yet. */
export async function evaluateOpen(tx: SystemTx): Promise<void> {
  for (const { realm, ...of } of await selectPlaces(tx, 'open')) await evaluateAgain(within(tx, realm), of)
}

/** What was told of a person, or is to be: what is told stays as a record of that, without the result; the rest until it is told, without what was written of it. */
export async function eraseOf(tx: Tx, customerId: number): Promise<void> {
  for (const row of await lockNotices(tx, { customerId }))
    await saveNotice(tx, stripped({ ...row, note: null, said: withoutWords(row.said) }))
}

/**
 * What a laboratory sends of somebody who was erased waits as a message. What was told and is corrected, and what is not told yet
 * and may be another answer now, a person tells by it.
 */
export async function afterSpecimen(tx: Tx, { kitId, isCorrection, results }: RefusedSpecimen): Promise<void> {
  for (const row of await lockNotices(tx, { kitId })) {
    const { now, entry, withinHours } = row
    const isNotTold = openStates.includes(row.state) || row.isOpen
    const isOfIt = entry === null || results.some(({ loinc }) => !loinc || !entry.loinc || loinc === entry.loinc)
    const concerns = isNotTold ? isOfIt || (isCorrection && results.length === 0) : isCorrection && row.said !== null
    if (!concerns || (await customers.maybeFind(tx, row.customerId))) continue
    const deadlineAt = isNotTold ? row.deadlineAt : deadlineOf(tx.now, withinHours)
    const doubt = { is: 'doubtful', key: `${undoubted(now).key}!`, reason: 'afterErasure' } as const
    const dueAt = row.isOpen ? row.dueAt : null
    await saveNotice(tx, { ...row, now: doubt, dueAt, state: 'waiting', reason: doubt.reason, deadlineAt })
  }
}
