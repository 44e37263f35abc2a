import { type Sentence, sentence } from '@kitlane/display/sentence'
import { daysBefore } from './decision.ts'

/** A component of a lot of kits. */
export interface ComponentOfLot {
  component: string
  lot: string
  expiresOn: string
  minimumDaysAtPacking: number
  quarantine: string | null
}

/** What the rules know of a lot of kits. */
export interface LotFacts {
  product: string
  lot: string
  quarantine: string | null
  /** Those that expire first first. */
  components: readonly ComponentOfLot[]
}

/** Why kits of a lot may not be packed today; undefined where they may. */
export function lotProblem({ lot, quarantine, components }: LotFacts, today: string): Sentence | undefined {
  if (quarantine !== null)
    return sentence('Lot {lot} is in quarantine: {reason}. Take another lot.', { lot, reason: quarantine })
  for (const part of components) {
    const names = { lot, component: part.component, of: part.lot }
    if (part.quarantine !== null)
      return sentence('Lot {lot} has {component} of lot {of}, which is in quarantine: {reason}. Take another lot.', {
        ...names,
        reason: part.quarantine,
      })
    if (daysBefore(part.expiresOn, part.minimumDaysAtPacking) < today)
      return sentence('Lot {lot} has {component} of lot {of}, which expires on {date}: too soon. Take another lot.', {
        ...names,
        date: part.expiresOn,
      })
  }
  return undefined
}
