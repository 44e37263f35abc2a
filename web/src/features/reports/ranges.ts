import type { components } from '@kitlane/client'
import type { Ranges } from '@kitlane/display/gauge'

type Piece = components['schemas']['ReferenceInterval']

/** Where the reference interval comes from. */
export type IntervalSource = NonNullable<Piece['basis']> | 'none'

/** The exact pieces of a result's ranges; `ranges` in the answer has only their outer bounds. */
export function rangesOf({
  referenceIntervals,
}: {
  referenceIntervals: readonly Piece[]
}): Ranges & { source: IntervalSource } {
  const of = (band: Piece['band']) =>
    referenceIntervals
      .filter((piece) => piece.band === band)
      .map(({ low, high }) => ({
        low: low?.value ?? null,
        high: high?.value ?? null,
        ...(low?.sign === '>' && { lowExclusive: true }),
        ...(high?.sign === '<' && { highExclusive: true }),
      }))
  const reference = referenceIntervals.find(({ band }) => band === 'reference')
  return {
    optimal: of('optimal')[0] ?? null,
    good: of('good'),
    fair: of('fair'),
    inRange: of('reference')[0] ?? null,
    source: reference?.basis ?? 'none',
  }
}
