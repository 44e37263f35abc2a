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
}

/** HL7 table 0078 and FHIR: abnormal, critical, detected, reactive, off the scale. */
const criticalFlags = new Set(['A', 'AA', 'LL', 'HH', 'LU', 'HU', 'POS', 'DET', 'RR', 'WR', '<', '>'])
const finding = /\b(reactive|detected|positive|abnormal|critical|panic|malignant|growth|isolated)\b/i
const denied =
  /\b(non|not|no|negative for|never|un)[- ]?(reactive|detected|positive|abnormal|critical|malignant|growth|isolated)\b/gi
const printedFlag = /\((?:A|AA|LL|HH)\)|\s(?:AA|LL|HH)$/

/** Whether a person must see it before the report that it came with is published. */
export function isCriticalUnassessed({ flag = '', value }: Pick<NewUnassessed, 'flag' | 'value'>): boolean {
  if (criticalFlags.has(flag.toUpperCase()) || printedFlag.test(value)) return true
  return finding.test(value.replace(denied, ' '))
}

/** Whether it keeps its report from being published without a person. A part that could not be read may hold anything. */
export const holdsReport = (one: NewUnassessed): boolean => one.code === 'unreadable' || isCriticalUnassessed(one)
