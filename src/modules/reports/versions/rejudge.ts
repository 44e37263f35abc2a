import { isDeepStrictEqual } from 'node:util'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { biomarkers, findPanel } from '../../catalogue/service.ts'
import type { CustomerRow } from '../../customers/service.ts'
import type { KitRow } from '../../kits/queries.ts'
import { rejudgedEntry } from '../judge/entry.ts'
import { judge } from '../judge/judge.ts'
import { scoreVersion } from '../judge/score-constants.ts'
import { suggestionsFor } from '../judge/suggestions.ts'
import { insertVersion, saveVersionOf, selectEntries, selectOfCustomer } from '../queries.ts'
import { announce } from './publish.ts'
import { subjectOf } from './receive.ts'

/** A person and their kits, before or after a correction; both are locked. */
export interface Known {
  customer: CustomerRow
  kits: readonly KitRow[]
}

const REASON = 'The date of birth or the sex of the person was corrected.'

/**
 * Judges the reports of a person anew that were judged by another age or sex: each gets a new version. One that is
 * published stays so: whoever read the old verdict must see the new one.
 */
export async function rejudgeReports(tx: Tx, before: Known, after: Known): Promise<void> {
  const catalogue = await biomarkers(tx)
  const byId = new Map(catalogue.map((biomarker) => [biomarker.id, biomarker]))
  for (const report of await selectOfCustomer(tx, after.customer.id)) {
    const on = report.collectedDate ?? report.resultedDate ?? tx.now.toISOString().slice(0, 10)
    const kitOf = ({ kits }: Known) => kits.find(({ id }) => id === report.kitId)
    const subject = subjectOf(kitOf(after), after.customer, on)
    if (isDeepStrictEqual(subject, subjectOf(kitOf(before), before.customer, on))) continue
    const { id, labErrors, collectedDate, resultedDate } = report
    const kit = kitOf(after)
    const previous = (await selectEntries(tx, id, report.version)).map((entry) => {
      const biomarker = byId.get(entry.id)
      return biomarker ? rejudgedEntry(biomarker, entry, { subject, labErrors }) : entry
    })
    const panel = kit ? (await findPanel(tx, kit.kitType)).biomarkers : []
    const { entries, axes } = judge({ catalogue, panel, results: [], previous, labErrors, subject })
    const version = report.version + 1
    await saveVersionOf(tx, id, version)
    const judged = {
      entries,
      axes,
      suggestions: suggestionsFor(entries),
      labErrors,
      scoreVersion,
      withdrawn: [],
      reason: REASON,
    }
    await insertVersion(tx, { ...judged, reportId: id, version, collectedDate, resultedDate })
    await audit.record(tx, [{ action: 'report.rejudged', objectType: 'report', objectId: id, details: { version } }])
    if (report.status === 'published') await announce(tx, { ...report, version, orderId: kit?.orderId ?? null })
  }
}
