import { isDeepStrictEqual } from 'node:util'
import { sentence } from '@kitlane/display/sentence'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { findPanel } from '../../catalogue/service.ts'
import { judging } from '../../catalogue/signatures.ts'
import type { CustomerRow } from '../../customers/service.ts'
import * as customers from '../../customers/service.ts'
import { refusalOfRegistered } from '../../kits/for-whom.ts'
import { setReportStatus } from '../../kits/move.ts'
import { type KitRow, lockKits } from '../../kits/queries.ts'
import { rejudgeResult } from '../judge/entry.ts'
import { judgeReport } from '../judge/judge.ts'
import { subjectOf } from '../judge/subject.ts'
import { emptyOrigin } from '../origin/rules.ts'
import { lockReport, lockReportsOfCustomer, markAwaits, type StandingReport, selectReportOfKit } from '../queries.ts'
import { differenceOf } from '../rules.ts'
import { announceReport } from './publish.ts'
import { collectedOf, newContradictions, ofTime, saidOf } from './said.ts'
import { writeReport, writeVersion } from './write.ts'

/** A person and their kits, before or after a correction. All are locked. */
export interface PersonAndKits {
  customer: CustomerRow
  kits: readonly KitRow[]
}

const REASON = sentence('The date of birth or the sex of the person was corrected.')

/**
 * Judges the reports of a person again if their age or sex at that time has changed: each gets a new version. A published
 * report stays published: anyone who read the old verdict must see the new one. If its test is not for them now, a person reads it first.
 */
export async function rejudgeReports(tx: Tx, before: PersonAndKits, after: PersonAndKits): Promise<void> {
  const catalogue = await judging(tx)
  const byId = new Map(catalogue.map((biomarker) => [biomarker.id, biomarker]))
  for (const report of await lockReportsOfCustomer(tx, after.customer.id)) {
    const on = report.collectedDate ?? report.resultedDate ?? tx.now.toISOString().slice(0, 10)
    const kitOf = ({ kits }: PersonAndKits) => kits.find(({ id }) => id === report.kitId)
    const subject = subjectOf(kitOf(after), after.customer, on)
    if (isDeepStrictEqual(subject, subjectOf(kitOf(before), before.customer, on))) continue
    const { id, labErrors } = report
    const kit = kitOf(after)
    const previous = report.entries.map((entry) => {
      const biomarker = byId.get(entry.id)
      return biomarker ? rejudgeResult(biomarker, entry, { subject, labErrors }) : entry
    })
    const panel = kit ? (await findPanel(tx, kit.kitType)).biomarkers : []
    const { facts: said } = await saidOf(tx, kit)
    const judged = judgeReport({ catalogue, panel, results: [], previous, said, labErrors, subject })
    const { entries, axes } = judged
    const isPublished = report.status === 'published'
    const isRefused = kit !== undefined && (await refusalOfRegistered(tx, kit)) !== undefined
    const status = isPublished && isRefused ? ('inReview' as const) : report.status
    const next = { ...report, status, version: report.version + 1 }
    const { origin, replaced, isDoubted, collectedSaid } = report
    const contradictions = [...ofTime(report), ...judged.contradictions]
    const beside = {
      labErrors,
      reason: REASON,
      origin,
      replaced,
      isDoubted,
      collectedSaid,
      contradictions,
      before: report,
    }
    await writeVersion(tx, next, { entries, axes, ...beside })
    if (!isRefused) await carryOn(tx, report)
    else if (isPublished) await setReportStatus(tx, kit.id, status, { isQuiet: true })
    await audit.record(tx, [
      { action: 'report.rejudged', objectType: 'report', objectId: id, details: { version: next.version } },
    ])
    if (status === 'published') {
      const { customerId, kitId, version } = next
      const difference = differenceOf(report.entries, entries)
      await announceReport(tx, { id, customerId, kitId, version, orderId: kit?.orderId ?? null, difference })
    }
  }
}

/** A version that is judged again waits for the same as the one before. */
async function carryOn(tx: Tx, { id, awaitsRecall, awaitsAcknowledgement }: StandingReport): Promise<void> {
  if (awaitsRecall) await markAwaits(tx, id, 'recall')
  if (awaitsAcknowledgement) await markAwaits(tx, id, 'acknowledgement')
}

const SAID = sentence('What the person says of the sample was corrected.')

/**
 * Judges the reports of kits again after what their person says of the sample was corrected. A published report stays published,
 * unless laboratory and person now say different things on which a verdict depends: then a person reads it first.
 */
export async function rejudgeSamples(tx: Tx, kitIds: readonly string[]): Promise<void> {
  for (const kit of await lockKits(tx, kitIds)) {
    const found = await selectReportOfKit(tx, kit.id)
    const report = found && (await lockReport(tx, found.id))
    if (report && report.status !== 'rejected' && kit.customerId !== null) await rejudgeSample(tx, kit, report)
  }
}

async function rejudgeSample(
  tx: Tx,
  kit: KitRow,
  report: NonNullable<Awaited<ReturnType<typeof lockReport>>>,
): Promise<void> {
  const { id, customerId, labErrors, origin, replaced, isDoubted, entries: previous } = report
  const said = await saidOf(tx, kit)
  const known = { stated: undefined, before: report, origin: origin ?? emptyOrigin }
  const { collectedDate, ...taken } = collectedOf(known, said)
  const customer = await customers.find(tx, customerId, 'share')
  const on = collectedDate ?? report.resultedDate ?? tx.now.toISOString()
  const subject = subjectOf(kit, customer, on)
  const panel = (await findPanel(tx, kit.kitType)).biomarkers
  const catalogue = await judging(tx)
  const judged = judgeReport({ catalogue, panel, results: [], previous, said: said.facts, labErrors, subject })
  const { entries, axes } = judged
  const contradictions = [...taken.contradictions, ...judged.contradictions]
  const before = [previous, report.collectedDate, report.contradictions ?? []]
  if (isDeepStrictEqual([entries, collectedDate, contradictions], before)) return
  const isPublished = report.status === 'published'
  const isUnread = (isPublished || report.awaitsRecall) && newContradictions(contradictions, report).length > 0
  const status = isUnread ? ('inReview' as const) : report.status
  const version = report.version + 1
  const beside = { labErrors, reason: SAID, origin, replaced, isDoubted, ...taken, contradictions, before: report }
  await writeReport(tx, { ...report, status, version, collectedDate }, { entries, axes, ...beside })
  await audit.record(tx, [{ action: 'report.rejudged', objectType: 'report', objectId: id, details: { version } }])
  if (contradictions.length === 0 || (report.awaitsRecall && !isUnread)) await carryOn(tx, report)
  if (isPublished && isUnread) await setReportStatus(tx, kit.id, status, { isQuiet: true })
  if (isPublished && !isUnread) {
    const difference = differenceOf(previous, entries)
    await announceReport(tx, { id, customerId, kitId: kit.id, version, orderId: kit.orderId, difference })
  }
}
