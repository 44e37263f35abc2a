import type { Language } from '../../../domain/translations/translator.ts'
import type { Mode } from '../../../platform/database/tx.ts'
import type { Report } from '../schema.ts'
import type { UnitSystem } from '../units/systems.ts'

/** The person whom a report is about. */
export interface Owner {
  id: number
  name: string
  dateOfBirth: string | null
  gender: 'M' | 'F' | 'X' | null
}

/** A report with what a document says besides. */
export interface Printable {
  report: Report
  owner: Owner
  business: { id: string; name: string; color: string | null }
  mode: Mode
  /** When the version shown could first be read. */
  issuedAt: Date
  /** The same, or when marks of it last changed. */
  changedAt: Date
  /** Absent: the report's. */
  units?: UnitSystem | undefined
  /** What its person reads; absent: English. */
  language?: Language | undefined
}
