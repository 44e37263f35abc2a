import { isDeepStrictEqual } from 'node:util'
import type { Origin } from '@kitlane/lab-reader/parse/origin'
import type { Tx } from '../../../platform/database/tx.ts'
import { factsOf } from '../../collection/questions.ts'
import { maybeFind } from '../../collection/service.ts'
import { momentOf, spanOf, timestampOf } from '../../collection/time.ts'
import type { KitRow } from '../../kits/queries.ts'
import type { SampleFacts } from '../judge/said.ts'
import type { Contradiction } from '../said-schema.ts'
import type { VersionContent } from '../sealed-queries.ts'

/** What a person says of the sample of a kit. */
export interface SaidOfSample {
  facts: SampleFacts
  /** A day, or a minute with its offset. */
  collected?: string
  /** Of a day. */
  zone?: string | undefined
}

export async function saidOf(tx: Tx, kit: KitRow | undefined): Promise<SaidOfSample> {
  const row = kit && (await maybeFind(tx, kit))
  return row ? { facts: factsOf(row.answers), collected: momentOf(row), zone: row.zone } : { facts: {} }
}

const DAY_MS = 86_400_000
const dayOf = (moment: string): number => Date.parse(moment.slice(0, 10))

interface KnownDates {
  /** With the message of now. */
  stated: string | undefined
  before: { collectedDate: string | null; collectedSaid?: string | undefined } | undefined
  origin: Origin
}

/**
 * When a sample was taken: the laboratory's word counts before the person's. Days that lie more than one apart contradict each
 * other, unless they touch: days begin at other times elsewhere, and a day apart may be one night.
 */
export function collectedOf({ stated, before, origin }: KnownDates, { collected, zone }: SaidOfSample) {
  const known = before?.collectedSaid === undefined ? before?.collectedDate : undefined
  const date = stated ?? known ?? undefined
  const laboratory = date ?? origin.specimens.find((one) => one.collectedDate)?.collectedDate
  if (collected === undefined || laboratory === undefined) {
    const own = laboratory === undefined ? collected : undefined
    const collectedDate = date ?? (own === undefined ? null : timestampOf(own))
    return { collectedDate, ...(own !== undefined && { collectedSaid: own }), contradictions: [] }
  }
  const [one, other] = [spanOf(laboratory), spanOf(collected, zone)]
  const isTouching = one[0] <= other[1] && other[0] <= one[1]
  const isApart = !isTouching && Math.abs(dayOf(laboratory) - dayOf(collected)) > DAY_MS
  const contradiction: Contradiction = {
    fact: 'collected',
    laboratory: [laboratory],
    person: [collected],
    biomarkers: [],
  }
  return { collectedDate: date ?? null, contradictions: isApart ? [contradiction] : [] }
}

export const ofTime = ({ contradictions = [] }: Pick<VersionContent, 'contradictions'>): Contradiction[] =>
  contradictions.filter(({ fact }) => fact === 'collected')

/** What a reader of a published version does not know yet. */
export const newContradictions = (
  now: readonly Contradiction[],
  before: Pick<VersionContent, 'contradictions'> | undefined,
): Contradiction[] => now.filter((one) => !before?.contradictions?.some((other) => isDeepStrictEqual(one, other)))
