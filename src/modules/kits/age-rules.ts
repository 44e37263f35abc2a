import { ADULT_AGE } from '../../domain/age.ts'
import type { AgeLimits } from '../catalogue/queries.ts'

export interface AgeProblem {
  code: 'AGE_NOT_ALLOWED' | 'GUARDIAN_REQUIRED' | 'VALIDATION_FAILED'
  /** For the person who registers. */
  sentence: string
}

/** Why a person of this age cannot be registered like this; undefined if they can. */
export function ageProblem(limits: AgeLimits, age: number, hasGuardian: boolean): AgeProblem | undefined {
  const { minAge, maxAge } = limits
  if (age < minAge || (maxAge !== null && age > maxAge)) {
    return { code: 'AGE_NOT_ALLOWED', sentence: `${forWhom(limits)}. On the day of the sample, this person is ${age}.` }
  }
  if (age < ADULT_AGE && !hasGuardian) {
    const sentence = `This person is ${age}. A parent or guardian registers a person under ${ADULT_AGE}.`
    return { code: 'GUARDIAN_REQUIRED', sentence }
  }
  if (age >= ADULT_AGE && hasGuardian) {
    const sentence = `This person is ${age}, and registers without a guardian: from ${ADULT_AGE} on, it is theirs to decide.`
    return { code: 'VALIDATION_FAILED', sentence }
  }
  return undefined
}

/** For whom a panel is, as a sentence without its stop. */
function forWhom({ minAge, maxAge }: AgeLimits): string {
  if (maxAge === null) return `This test is for people from the age of ${minAge}`
  return minAge === 0
    ? `This test is for people up to the age of ${maxAge}`
    : `This test is for people from the age of ${minAge} to ${maxAge}`
}
