import { isDeepStrictEqual } from 'node:util'
import { sentence } from '@kitlane/display/sentence'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { findPanel } from '../../catalogue/service.ts'
import { judging } from '../../catalogue/signatures.ts'
import type { CustomerRow } from '../../customers/service.ts'
import type { KitRow } from '../../kits/queries.ts'
import { rejudgeResult } from '../judge/entry.ts'
import { judgeReport } from '../judge/judge.ts'
import { subjectOf } from '../judge/subject.ts'
import { lockReportsOfCustomer } from '../queries.ts'
import { differenceOf } from '../rules.ts'
import { announceReport } from './publish.ts'
import { writeVersion } from './write.ts'

/** A person and their kits, before or after a correction. All are locked. */
export interface PersonAndKits {
  customer: CustomerRow
  kits: readonly KitRow[]
}

const REASON = sentence('The date of birth or the sex of the person was corrected.')

/**
 * Judges the reports of a person again if their age or sex at that time has changed: each gets a new version. A published
 * report stays published: anyone who read the old verdict must see the new one.
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
    const { entries, axes } = judgeReport({ catalogue, panel, results: [], previous, labErrors, subject })
    const next = { ...report, version: report.version + 1 }
    const { origin, replaced } = report
    await writeVersion(tx, next, { entries, axes, labErrors, reason: REASON, origin, replaced, before: report })
    await audit.record(tx, [
      { action: 'report.rejudged', objectType: 'report', objectId: id, details: { version: next.version } },
    ])
    if (report.status === 'published') {
      const { customerId, kitId, version } = next
      const difference = differenceOf(report.entries, entries)
      await announceReport(tx, { id, customerId, kitId, version, orderId: kit?.orderId ?? null, difference })
    }
  }
}
