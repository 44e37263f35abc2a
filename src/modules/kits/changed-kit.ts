import type { KitRow } from './queries.ts'
import type { Step } from './rules.ts'

/** A kit that changed: as it was, as it is, and the steps between. */
export interface ChangedKit {
  before: KitRow
  after: KitRow
  steps: readonly Step[]
  /** Addresses that a module has written to itself: the step writes nothing more to them. Modules add to it. */
  written: Set<string>
}

/** What may become known of a kit without a step: a consent given or taken back, a corrected name or anything else of its person or sample, a recall or its end, that its box is not sent again any more. */
export type KitFact = 'consent' | 'name' | 'person' | 'collection' | 'recall' | 'notSentAgain'

/** What a laboratory's message says of the sample of a kit. */
export interface RefusedSpecimen {
  kitId: string
  /** Why it is refused: codes of HL7 table 0490. */
  codes: readonly string[]
  /** `YYYY-MM-DD` */
  collectedOn: string | undefined
  /** It corrects or withdraws results. */
  isCorrection: boolean
  results: readonly { loinc?: string | undefined }[]
}

/** `hasShown`: a report may show values of it. `hasOther`: other or more values of it come now. */
export interface ComparedWith extends MeasuredWith {
  hasShown: boolean
  hasOther: boolean
}

/** A run, or a lot of a reagent, by which a laboratory measured. */
export interface MeasuredWith {
  kind: 'run' | 'reagentLot'
  subject: string
  lot: string
  /** Names of the results. */
  results: readonly string[]
}
