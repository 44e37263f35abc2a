import run from '@kitlane/lab-reader/facts/data/loinc.json' with { type: 'json' }
import copied from './loinc-copies.json' with { type: 'json' }

interface Fact {
  component: string
  property: string | null
  system: string | null
  scale: string | null
  short?: string
  long?: string
  copies: string
}

const rest: Record<string, object> = copied.codes

/** All that the copies say of the catalogue's codes: what the reader knows, and what only tests compare. */
export const loinc = {
  notice: run.notice,
  masses: copied.masses as Record<string, number>,
  codes: Object.fromEntries(
    Object.entries(run.codes).map(([code, fact]) => [code, { ...fact, ...rest[code] }]),
  ) as Record<string, Fact>,
}
