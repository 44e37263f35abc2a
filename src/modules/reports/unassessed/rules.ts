import type { AsSent } from '@kitlane/lab-reader/identify/unmatched'

/** What became of a result that waited. `seen`: with its report, when that was published. */
export const outcomes = ['assigned', 'dismissed', 'seen', 'replaced'] as const
export type Outcome = (typeof outcomes)[number]

/** A result that was received and could not be judged. */
export interface NewUnassessed {
  name: string
  value: string
  unit?: string
  /** As it was printed. */
  range?: string
  flag?: string
  loinc?: string
  position: string
  code: string
  reason: string
  suggestions: readonly string[]
  sent?: AsSent
}

type Readable = Pick<NewUnassessed, 'code' | 'flag' | 'value'> & { sent?: AsSent | null | undefined }

/** HL7 table 0078 and FHIR: abnormal, critical, detected, reactive, off the scale. */
const criticalFlags = new Set(['A', 'AA', 'LL', 'HH', 'LU', 'HU', 'POS', 'DET', 'RR', 'WR', '<', '>'])
const finding = /\b(reactive|detected|positive|abnormal|critical|panic|malignant|growth|isolated)\b/i
const denied =
  /\b(non|not|no|negative for|never|un)[- ]?(reactive|detected|positive|abnormal|critical|malignant|growth|isolated)\b/gi
const printedFlag = /\((?:A|AA|LL|HH)\)|\s(?:AA|LL|HH)$/

/** Whether a person must see it before the report that it came with is published. */
export function isCriticalUnassessed({ flag = '', value, sent }: Omit<Readable, 'code'>): boolean {
  if (sent?.calls || criticalFlags.has(flag.toUpperCase()) || printedFlag.test(value)) return true
  return finding.test(value.replace(denied, ' '))
}

/** What could not be read, may be somebody else's, is not known or contradicts itself, or may be a mistake of the laboratory. */
export const holdingCodes = [
  'unreadable',
  'notCounted',
  'otherName',
  'unknownWord',
  'codeContradictsText',
  'annulled',
  'noteContradictsValue',
  'implausible',
  'impossibleTimes',
  'unaccounted',
  'unknownRemark',
  'notInFile',
  'otherRange',
]

/**
 * Whether it keeps its report from being published without a person. A part that could not be read and an unknown word may
 * mean anything, and a report with another name may be somebody else's.
 */
export const holdsReport = (one: Readable): boolean => holdingCodes.includes(one.code) || isCriticalUnassessed(one)
