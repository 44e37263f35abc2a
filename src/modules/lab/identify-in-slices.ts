import type { Biomarker, Sex } from '@kitlane/lab-reader/facts/schema'
import { type Identified, type IdentifiedReport, startIdentifying } from '@kitlane/lab-reader/identify/identify'
import type { Passed } from '@kitlane/lab-reader/identify/note'
import type { Unmatched } from '@kitlane/lab-reader/identify/unmatched'
import type { Observation, ParsedReport } from '@kitlane/lab-reader/parse/parsed'
import type { Tx } from '../../platform/database/tx.ts'
import { inSlices } from '../../platform/slices.ts'
import { selectPassed } from '../reports/remarks/queries.ts'
import { keyOf, laboratoryOf, namesPerson, type Remark } from '../reports/remarks/rules.ts'

/** Which biomarkers the observations are, in slices: other requests are answered in between. */
export async function identifyInSlices(
  observations: readonly Observation[],
  catalogue: readonly Biomarker[],
  subject: { sex?: Sex | undefined; passed?: Passed } = {},
): Promise<Identified> {
  const identifying = startIdentifying(catalogue, subject)
  await inSlices(observations, identifying.add)
  return identifying.end()
}

/**
 * The same of a report, where remarks that a reviewer let pass before hold nothing. `from`: by what its sender is known if it
 * does not say.
 */
export async function identifyReport(
  tx: Tx,
  report: ParsedReport,
  { catalogue, from }: { catalogue: readonly Biomarker[]; from?: string | undefined },
): Promise<Identified> {
  const asked: Remark[] = []
  const remarkOf = (sentence: string, { said }: Observation, biomarker: string): Remark | undefined => {
    const laboratory = laboratoryOf(report, { own: said?.laboratory, from })
    return laboratory === undefined || namesPerson(sentence, report) ? undefined : { laboratory, biomarker, sentence }
  }
  const identify = (passed: Passed) =>
    identifyInSlices(report.observations, catalogue, { sex: report.patient?.sex, passed })
  const identified = await identify((...about) => {
    const remark = remarkOf(...about)
    if (remark) asked.push(remark)
    return false
  })
  const known = asked.length === 0 ? new Set<string>() : await selectPassed(tx, asked)
  const passed: Passed = (...about) => {
    const remark = remarkOf(...about)
    return remark !== undefined && known.has(keyOf(remark))
  }
  const again = known.size === 0 ? identified : await identify(passed)
  return { ...again, unmatched: again.unmatched.map((one) => withLaboratory(one, report, from)) }
}

/** Only what may pass next time is kept with a result that waits, and who wrote it. */
function withLaboratory(one: Unmatched, report: ParsedReport, from: string | undefined): Unmatched {
  const { remarks: said = [], laboratory: own, ...sent } = one.sent
  const laboratory = laboratoryOf(report, { own, from })
  const remarks = said.filter((sentence) => !namesPerson(sentence, report))
  return laboratory === undefined || remarks.length === 0
    ? { ...one, sent }
    : { ...one, sent: { ...sent, remarks, laboratory } }
}

/** Each report of a file with the results in it. */
export async function identifyReports(
  tx: Tx,
  { reports, layout }: { reports: readonly ParsedReport[]; layout?: string | undefined },
  catalogue: readonly Biomarker[],
): Promise<IdentifiedReport[]> {
  const identified: IdentifiedReport[] = []
  for (const report of reports) {
    identified.push({ ...report, ...(await identifyReport(tx, report, { catalogue, from: layout })) })
  }
  return identified
}
