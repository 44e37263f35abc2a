import type { Finding } from '../facts/finding-schema.ts'
import type { Reading } from '../facts/reading.ts'
import type { Interval, Phase } from '../facts/schema.ts'
import type { Said } from '../parse/origin.ts'
import type { Sent } from './sent.ts'

interface Given {
  /** Catalogue id. */
  biomarkerId: string
  /** The printed text; else it is made of the result. */
  rawResult?: string
  /** HL7 table 0078. */
  labFlag?: string
  /** Method, laboratory and note. */
  said?: Said
  /** The laboratory says that it corrects what it sent before. */
  isCorrected?: boolean
  /** Whether the sample was taken fasting; absent: nobody said so. */
  fasting?: boolean
  /** Whether the laboratory says that the person is pregnant. */
  pregnant?: boolean
  /** The phases of the cycle that the laboratory names for the sample; several contradict each other. */
  phases?: Phase[]
  /** What the laboratory calls it. */
  sent?: Sent
  /** The laboratory will send the final result. */
  preliminary?: true
}

export interface NewNumber extends Given {
  value: number
  unit: string
  comparator?: Reading['comparator']
  /** In `unit`. */
  labRange?: Interval
}

/** A result that is no number. */
export interface NewFinding extends Given {
  finding: Finding
  /** The results that the laboratory expects, where it printed them. */
  labExpected?: readonly string[]
}

/** One result as a laboratory, a file or the sandbox gave it. */
export type NewResult = NewNumber | NewFinding
