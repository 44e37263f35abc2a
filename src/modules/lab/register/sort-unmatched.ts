import type { Biomarker } from '@kitlane/lab-reader/facts/schema'
import { type Unmatched, unmatchedAs } from '@kitlane/lab-reader/identify/unmatched'
import type { Observation } from '@kitlane/lab-reader/parse/parsed'
import { lineKey } from '../received/rules.ts'
import type { Weighed } from './weigh.ts'

/** What of a document is no result: `open` waits for a person, `all` has also what is superseded. */
export function sortUnmatched(
  unmatched: readonly Unmatched[],
  observations: readonly Observation[],
  { superseded, unsettled }: Pick<Weighed, 'superseded' | 'unsettled'>,
  catalogue: readonly Biomarker[],
): { open: Unmatched[]; all: Unmatched[] } {
  const passed = new Set([...superseded].map(lineKey))
  const codes = new Map(unmatched.map((one) => [lineKey(one), one.code]))
  const waiting = unsettled.map(({ observation, biomarkerId, code }) =>
    unmatchedAs(observation, code, { suggestions: [biomarkerId], catalogue }),
  )
  const open = [...unmatched.filter((one) => !passed.has(lineKey(one))), ...waiting]
  // What takes a value back keeps that as its reason.
  const taken = unmatched.filter((one) => one.code === 'withdrawn' && passed.has(lineKey(one)))
  const left = observations.filter((one) => superseded.has(one) && codes.get(lineKey(one)) !== 'withdrawn')
  return {
    open,
    all: [...open, ...taken, ...left.map((one) => unmatchedAs(one, 'superseded', { suggestions: [], catalogue }))],
  }
}
