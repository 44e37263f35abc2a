import { sentence } from '@kitlane/display/sentence'
import type { Observation } from '@kitlane/lab-reader/parse/parsed'
import { identityOf } from '@kitlane/lab-reader/parse/person'
import { stored } from '../../../domain/translations/stored-sentences.ts'
import type { SystemTx } from '../../../platform/database/tx.ts'
import { modulesOf } from '../../define-module.ts'
import { isStopReason } from '../../kits/consent/withdrawal-rules.ts'
import { isCriticalUnassessed } from '../../reports/unassessed/rules.ts'
import { doubtOfMessage, reasonNow } from '../match.ts'
import { selectCandidateKits, selectLabKits, selectMessages } from './queries.ts'
import { NOTHING_YET, SAMPLE_REJECTED, SEVERAL_KITS, WHICH_RESULT } from './queue.ts'
import type { LabMessage, MessageOutcome } from './schema.ts'

/** Messages in the queue, with kits that they may belong to. */
export async function listMessages(
  tx: SystemTx,
  query: { status: readonly string[]; page: number; size: number },
): Promise<LabMessage[]> {
  const rows = await selectMessages(tx, query.status, query.page, query.size)
  const born = [...new Set(rows.flatMap(({ parsed }) => parsed.patient?.dateOfBirth ?? []))]
  const byBirth = new Map(
    await Promise.all(born.map(async (date) => [date, await selectCandidateKits(tx, date)] as const)),
  )
  const kits = await selectLabKits(
    tx,
    rows.map(({ parsed, accession }) => ({ kitId: parsed.kitId, accession: accession ?? undefined })),
  )
  const waiting = rows.filter(({ status }) => status === 'waiting')
  const dues = new Map<string, LabMessage['authority']>()
  for (const module of modulesOf(tx.context))
    for (const [id, due] of (await module.duesOfMessages?.(tx, waiting)) ?? []) dues.set(id, due)
  return rows.map((row, index) => {
    const { patient, collectedDate, kitId, observations = [] } = row.parsed
    const isAboutResults = row.reason === WHICH_RESULT || row.reason === NOTHING_YET
    const named = isAboutResults ? kitId : undefined
    const [first, second] = kits[index] ?? []
    const kit = second && first?.kitId !== kitId ? undefined : first
    const isReady =
      row.status === 'waiting' &&
      !isAboutResults &&
      row.reason !== SEVERAL_KITS &&
      row.reason !== SAMPLE_REJECTED &&
      kit &&
      !doubtOfMessage(kit, row.parsed, { isStopped: isStopReason(row.reason), now: tx.now })
    const alike = (byBirth.get(patient?.dateOfBirth ?? '') ?? []).map(({ kitId }) => ({
      kitID: kitId,
      reason: sentence('The same date of birth'),
    }))
    return {
      id: row.id,
      format: row.format,
      ...(row.accession && { accession: row.accession }),
      reason: stored(row.status === 'waiting' ? reasonNow(row.reason, kit) : row.reason),
      status: row.status,
      receivedDate: row.receivedAt.toISOString(),
      results: observations.length,
      critical: observations.filter(isCriticalResult).length,
      values: observations.map(valueAnswer),
      ...(kitId && { kitID: kitId }),
      ...(isReady && { readyForKitID: kit.kitId }),
      ...(patient && { patient: identityOf(patient) }),
      ...(collectedDate && { collectedDate }),
      ...(dues.has(row.id) && { authority: dues.get(row.id) }),
      ...(row.kitId !== null && { assignedKitID: row.kitId }),
      ...(row.closedAt !== null && { closedDate: row.closedAt.toISOString() }),
      canBeUndone: row.made !== null,
      suggestions:
        row.status !== 'waiting'
          ? []
          : [...(named ? [{ kitID: named, reason: sentence('The laboratory named this kit') }] : []), ...alike],
    }
  })
}

/** What became of a message, as the API shows it. */
export const shownOutcome = (outcome: MessageOutcome) => ({
  ...outcome,
  ...(outcome.reason !== undefined && { reason: stored(outcome.reason) }),
  unmatched: outcome.unmatched.map((one) => ({ ...one, reason: stored(one.reason) })),
})

const isCriticalResult = ({ flag, valueText: value }: Observation) => isCriticalUnassessed({ flag, value })

const valueAnswer = (one: Observation): LabMessage['values'][number] => ({
  name: one.name,
  value: one.valueText,
  unit: one.unit ?? '',
  range: one.rangeText ?? (one.range ? `${one.range.low ?? ''}-${one.range.high ?? ''}` : ''),
  flag: one.flag ?? '',
  critical: isCriticalResult(one),
})
