import type { NewResult as LaboratoryResult } from '@kitlane/lab-reader/identify/result'
import type { SaidFact } from '../said-schema.ts'
import type { Subject } from './formulas.ts'

/** A result with what counts of its sample. */
export type NewResult = LaboratoryResult & { saidByPerson?: SaidFact[] }
export type NewNumber = Exclude<NewResult, { finding: unknown }>

export interface Sample {
  subject: Subject
  labErrors: readonly string[]
}
