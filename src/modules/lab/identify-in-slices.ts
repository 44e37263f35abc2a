import type { Biomarker } from '@kitlane/lab-reader/facts/schema'
import { type Identified, type IdentifiedReport, startIdentifying } from '@kitlane/lab-reader/identify/identify'
import type { Observation, ParsedReport } from '@kitlane/lab-reader/parse/parsed'
import { inSlices } from '../../platform/slices.ts'

/** Which biomarkers the observations are, in slices: other requests are answered in between. */
export async function identifyInSlices(
  observations: readonly Observation[],
  catalogue: readonly Biomarker[],
): Promise<Identified> {
  const identifying = startIdentifying(catalogue, {})
  await inSlices(observations, identifying.add)
  return identifying.end()
}

/** Each report of a file with the results in it. */
export async function identifyReports(
  reports: readonly ParsedReport[],
  catalogue: readonly Biomarker[],
): Promise<IdentifiedReport[]> {
  const identified: IdentifiedReport[] = []
  for (const report of reports) {
    identified.push({ ...report, ...(await identifyInSlices(report.observations, catalogue)) })
  }
  return identified
}
