import { isKitId, isNearlyKit, kitIdOfNumber, normalizeId } from '@kitlane/display/short-id'
import type { ParsedReport } from '@kitlane/lab-reader/parse/parsed'
import { isTakenBack } from '@kitlane/lab-reader/parse/status'
import { sha256 } from '../../../platform/crypto.ts'
import { type SystemTx, within } from '../../../platform/database/tx.ts'
import { modulesOf } from '../../define-module.ts'
import { isTestingStopped } from '../../kits/consent/withdraw.ts'
import { doubtOfMessage } from '../match.ts'
import type { ParsedMessage } from './parse.ts'
import { putOnKit } from './put-on-kit.ts'
import { type LabKit, selectLabKits } from './queries.ts'
import { queueMessage, SEVERAL_KITS } from './queue.ts'
import type { LabResults, MessageOutcome } from './schema.ts'

/** The kit that a report names, or whose number one of its requests has; `others`: its numbers are of several kits. */
async function kitOf(tx: SystemTx, report: ParsedReport): Promise<{ kit?: LabKit; others?: true }> {
  const { kitId, accession, otherAccessions = [], patient } = report
  const ofPerson = patient?.id !== undefined && isKitId(patient.id) ? [normalizeId(patient.id)] : []
  const ofSamples = report.origin?.specimens.flatMap(({ id }) => id ?? []) ?? []
  const otherKitIds = [
    ...(report.otherKitIds ?? []),
    ...ofPerson,
    ...ofSamples.flatMap((one) => kitIdOfNumber(one) ?? []),
  ]
  const own = [
    { kitId },
    ...[accession, ...otherAccessions].map((one) => ({ accession: one, kitId: kitIdOfNumber(one ?? '') })),
  ]
  const found = await selectLabKits(tx, [...own, ...otherKitIds.map((one) => ({ kitId: one }))])
  const named = new Set(found.flatMap((kits) => (kits.length === 1 ? kits.map(({ kitId }) => kitId) : [])))
  const [only] = named
  // A number that several kits have says that it is one of them.
  const isCertain = named.size <= 1 && found.every((kits) => kits.length <= 1 || kits.some((kit) => kit.kitId === only))
  const isMistyped = [accession, ...otherAccessions, ...ofSamples].some((one) => only && isNearlyKit(one ?? '', only))
  if (!isCertain || isMistyped) return { others: true }
  return {
    kit: found
      .slice(0, own.length)
      .flat()
      .find((kit) => kit.kitId === only),
  }
}

/**
 * Receives each report of a laboratory's message: it goes to its kit, or waits in the queue if the kit is not certain. A
 * result never goes on a kit whose person has another name, date of birth or sex. @throws ILLEGAL_TRANSITION
 */
export async function receiveMessage(
  tx: SystemTx,
  { source, body, message }: { source: string; body: LabResults | string; message: ParsedMessage },
): Promise<MessageOutcome[]> {
  const first = sha256(`0\n${typeof body === 'string' ? body : JSON.stringify(body)}`)
  const outcomes: MessageOutcome[] = []
  for (const [index, report] of message.reports.entries()) {
    // A message may hold thousands of reports: the whole is hashed once.
    const fingerprint = index === 0 ? first : sha256(`${index}\n${first.toString('hex')}`)
    const received = { source, format: message.format, fingerprint, report }
    const { kit, others } = await kitOf(tx, report)
    if (others) {
      outcomes.push(await queueMessage(tx, received, SEVERAL_KITS))
      continue
    }
    const doubt = kit
      ? doubtOfMessage(kit, report, {
          isStopped: await isTestingStopped(within(tx, kit.realm), kit.kitId),
          now: tx.now,
        })
      : 'No kit has this number: say which kit it is of, or ask the laboratory for the right one'
    if (kit && !doubt) outcomes.push((await putOnKit(tx, kit, received)).outcome)
    else outcomes.push(await queueMessage(tx, received, doubt ?? ''))
    if (kit) await announceSpecimen(tx, kit, report)
  }
  return outcomes
}

/** Tells the modules what a message says of the sample of its kit. One that may be about nobody, or about others, says nothing. */
async function announceSpecimen(tx: SystemTx, { realm, kitId, isWithNobody }: LabKit, report: ParsedReport) {
  const { message, isOfSeveral, collectedDate, specimenRefusals: codes = [], observations } = report
  if (realm.mode !== 'live' || isWithNobody || message?.isTest || isOfSeveral) return
  const isCorrection =
    report.withdrawn === true || observations.some((one) => one.status === 'corrected' || isTakenBack(one))
  for (const module of modulesOf(tx.context)) {
    await module.afterSpecimen?.(within(tx, realm), {
      kitId,
      codes,
      collectedOn: collectedDate?.slice(0, 10),
      isCorrection,
      results: observations,
    })
  }
}
