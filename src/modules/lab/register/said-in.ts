import type { Biomarker } from '@kitlane/lab-reader/facts/schema'
import { biomarkerOf } from '@kitlane/lab-reader/identify/biomarker'
import type { Identified } from '@kitlane/lab-reader/identify/identify'
import type { Observation, ParsedReport } from '@kitlane/lab-reader/parse/parsed'
import { isTakenBack, isUsable } from '@kitlane/lab-reader/parse/status'
import { orderedTimes, statementStatus } from '@kitlane/lab-reader/standing/statement'
import { unassessedKey } from '../../reports/unassessed/service.ts'
import { lineKey } from '../received/rules.ts'
import type { KeptStatement } from './statement.ts'
import { whyWithdrawn } from './withdrawals.ts'

/** What a document says of one value, with the observation that says it. */
export interface NewStatement extends KeptStatement {
  observation: Observation
}

/** What the document itself replaces, or takes back further down, says nothing. */
const replacedInFile = ['replaced', 'replacedByFinal', 'withdrawn']

/** What a document says of each value: its results, what cannot be used, and what it takes back. */
export function saidIn(
  { observations, message }: ParsedReport,
  { results, unmatched }: Pick<Identified, 'results' | 'unmatched'>,
  catalogue: readonly Biomarker[],
): NewStatement[] {
  const resultOf = new Map(results.map((one) => [lineKey(one), one] as const))
  const codeOf = new Map(unmatched.map((one) => [lineKey(one), one.code] as const))
  return observations.flatMap((observation, sequence): NewStatement[] => {
    const { status } = observation
    const common = { observation, sequence, ...orderedTimes(observation, message) }
    const found = resultOf.get(lineKey(observation))
    if (found) {
      const { name: _, position: __, why: ___, ...result } = found
      return [{ ...common, key: result.biomarkerId, status: statementStatus(observation), result }]
    }
    const code = codeOf.get(lineKey(observation))
    // An equal result of the same document stands for it.
    if (code === undefined || (isUsable(status) && replacedInFile.includes(code))) return []
    const key = keyOf(observation, catalogue)
    // An answer of another sample of the same document says nothing of the one that stands.
    if (code === 'otherSpecimen' && results.some(({ biomarkerId }) => biomarkerId === key)) return []
    const why = whyWithdrawn(observation)
    if (isTakenBack(observation)) return [{ ...common, key, status: 'withdrawn', ...(why && { why }) }]
    if (!isUsable(status)) return []
    return [{ ...common, key, status: statementStatus(observation), ...(why && { why }) }]
  })
}

/** Of what a statement is: the biomarker, or the name where none is certain. */
function keyOf(observation: Observation, catalogue: readonly Biomarker[]): string {
  const named = biomarkerOf(catalogue, observation, () => [])
  return 'biomarker' in named ? named.biomarker.id : `name:${unassessedKey(observation.name, observation.loinc)}`
}
