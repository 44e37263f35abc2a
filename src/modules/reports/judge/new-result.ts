import type { Subject } from './formulas.ts'

export interface Sample {
  subject: Subject
  labErrors: readonly string[]
}
