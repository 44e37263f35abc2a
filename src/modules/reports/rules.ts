import { findingText } from '@kitlane/display/finding'
import type { Origin } from '@kitlane/lab-reader/parse/origin'
import { isCriticalEntry } from './critical/rules.ts'
import { type AxisEntry, type BiomarkerEntry, isUsable, type KeptWithdrawn, type WithdrawnResult } from './schema.ts'

/** How many results of a version are critical, out of range and not usable. */
export interface ResultCounts {
  critical: number
  outOfRange: number
  unusable: number
}

/** What lists, and the histories of other reports, read of a version: a twentieth of the whole. */
export interface VersionSummary extends ResultCounts {
  axes: [axis: AxisEntry['axis'], result: number][]
  /** Biomarker, unit, value, and what the laboratory sent (its text in older entries). */
  results: [biomarker: string, unit: string, value: number, raw: number | string][]
  /** Biomarker, and what was found; absent in older summaries. */
  findings?: [biomarker: string, value: string][]
  withdrawn: readonly KeptWithdrawn[]
  /** Where it was measured; absent where that is not known. */
  laboratory?: string
}

interface Summarised {
  entries: readonly BiomarkerEntry[]
  axes: readonly AxisEntry[]
  withdrawn: readonly KeptWithdrawn[]
  origin?: Origin | null
}

export function summaryOf({ entries, axes, withdrawn, origin }: Summarised): VersionSummary {
  const laboratory = (origin?.laboratories ?? []).map(({ name }) => name).join(', ')
  return {
    critical: entries.filter(isCriticalEntry).length,
    outOfRange: entries.filter(
      ({ interpretation, expresses }) => interpretation && interpretation !== 'N' && !expresses,
    ).length,
    unusable: entries.filter((entry) => !isUsable(entry)).length,
    axes: axes.flatMap(({ axis, result }) => (result === null ? [] : [[axis, result]])),
    results: entries.flatMap(({ id, unit, result, rawValue, rawResult }) =>
      result === null ? [] : [[id, unit, result, rawValue ?? rawResult]],
    ),
    findings: entries.flatMap(({ id, finding }) => (finding ? [[id, findingText(finding)]] : [])),
    withdrawn,
    ...(laboratory && { laboratory }),
  }
}

/**
 * The measured results of a report as if one of its versions had not been made: what that version changed is as it was before,
 * unless a later one changed it again.
 */
export function withoutVersion(
  now: readonly BiomarkerEntry[],
  { made, before }: { made: readonly BiomarkerEntry[]; before: readonly BiomarkerEntry[] },
): BiomarkerEntry[] {
  const byId = (entries: readonly BiomarkerEntry[]) => new Map(entries.map((entry) => [entry.id, entry]))
  const [current, then, earlier] = [byId(now), byId(made), byId(before)]
  const resultText = (entry: BiomarkerEntry | undefined) => entry && `${entry.rawResult} ${substance(entry)}`
  return [...new Set([...current.keys(), ...earlier.keys()])].flatMap((id) => {
    const isUntouched = resultText(current.get(id)) === resultText(then.get(id))
    const entry = isUntouched ? earlier.get(id) : current.get(id)
    return entry?.type === 'measured' ? [entry] : []
  })
}

interface ChangedEntry {
  before?: BiomarkerEntry
  after?: BiomarkerEntry
}

/** The results that differ from the version before: new, changed and removed ones. */
export function changesBetween(before: readonly BiomarkerEntry[], after: readonly BiomarkerEntry[]): ChangedEntry[] {
  const byId = new Map<string, ChangedEntry & { position: number }>()
  for (const [position, entry] of before.entries()) byId.set(entry.id, { position, before: entry })
  for (const [position, entry] of after.entries()) {
    byId.set(entry.id, { ...byId.get(entry.id), position, after: entry })
  }
  return [...byId]
    .filter(([, { before, after }]) => !(before && after) || substance(before) !== substance(after))
    .toSorted(([idA, a], [idB, b]) => a.position - b.position || (idA < idB ? -1 : 1))
    .map(([, { before, after }]) => ({ ...(before && { before }), ...(after && { after }) }))
}

/** Two results are the same if these agree. The raw text counts only if there is no result. */
const substance = ({ result, comparator, unit, state, interpretation, finding, rawResult }: BiomarkerEntry) =>
  JSON.stringify([result, comparator, unit, state, interpretation, result === null ? (finding ?? rawResult) : null])

/** Catalogue IDs; what does not apply is absent. */
export interface Difference {
  /** Another value, unit or verdict than one that was final. */
  corrected?: string[]
  /** Preliminary before, and final now. */
  completed?: string[]
  added?: string[]
  /** Taken back by the laboratory, or computed from what was. */
  withdrawn?: string[]
}

/** How a version differs from the one before, for anyone who hears of it. */
export function differenceOf(
  before: readonly BiomarkerEntry[],
  after: readonly BiomarkerEntry[],
  withdrawn: readonly WithdrawnResult[] = [],
): Difference {
  if (before.length === 0) return {}
  const changes = changesBetween(before, after)
  const preliminary = new Set(before.flatMap((one) => (one.preliminary ? [one.id] : [])))
  const corrected = changes.flatMap((one) =>
    one.before && one.after && !preliminary.has(one.after.id) ? one.after.id : [],
  )
  const completed = after.flatMap((one) => (preliminary.has(one.id) && !one.preliminary ? [one.id] : []))
  const added = changes.flatMap((one) => (one.before || !one.after ? [] : one.after.id))
  return {
    ...(corrected.length > 0 && { corrected }),
    ...(completed.length > 0 && { completed }),
    ...(added.length > 0 && { added }),
    ...(withdrawn.length > 0 && { withdrawn: withdrawn.map(({ biomarker }) => biomarker) }),
  }
}
