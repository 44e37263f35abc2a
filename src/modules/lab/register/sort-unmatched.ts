import { type Unmatched, unmatchedOf } from '../identify/identify.ts'
import type { Observation } from '../parse/parsed.ts'
import { lineKey } from '../received/rules.ts'
import type { Weighed } from './weigh.ts'

/** What of a document is no result: `open` waits for a person, `all` has also what is superseded. */
export function sortUnmatched(
  unmatched: readonly Unmatched[],
  observations: readonly Observation[],
  { superseded, unsettled }: Pick<Weighed, 'superseded' | 'unsettled'>,
): { open: Unmatched[]; all: Unmatched[] } {
  const passed = new Set([...superseded].map(lineKey))
  const codes = new Map(unmatched.map((one) => [lineKey(one), one.code]))
  const waiting = unsettled.map(({ observation, biomarkerId, code }) => unmatchedOf(observation, code, [biomarkerId]))
  const open = [...unmatched.filter((one) => !passed.has(lineKey(one))), ...waiting]
  // What takes a value back keeps that as its reason.
  const taken = unmatched.filter((one) => one.code === 'withdrawn' && passed.has(lineKey(one)))
  const left = observations.filter((one) => superseded.has(one) && codes.get(lineKey(one)) !== 'withdrawn')
  return { open, all: [...open, ...taken, ...left.map((one) => unmatchedOf(one, 'superseded', []))] }
}
