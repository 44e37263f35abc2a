import type { z } from 'zod'
import { ADULT_AGE, ageOn } from '../../../domain/age.ts'
import type { MessageKey, Translator } from '../../../domain/translations/translator.ts'
import { type PersonRefusal, personRefusal } from '../../catalogue/eligibility.ts'
import { RegisterInput } from '../../kits/schema.ts'
import type { PersonRule } from './consent.ts'

type Typed = Readonly<Record<string, string>>

/** The names of the fields, in the order of the page. The three of the date become one. */
const fieldNames = [
  'firstName',
  'lastName',
  'email',
  'day',
  'month',
  'year',
  'sex',
  'guardianFirstName',
  'guardianLastName',
  'guardianRelation',
  'phone',
  'addressLine1',
  'addressLine2',
  'city',
  'state',
  'zip',
  'country',
] as const

interface ProblemWords {
  /** Said where nothing was typed. */
  missing: MessageKey
  /** Said where it cannot be used. */
  wrong: MessageKey
  /** How many characters it can have. */
  most?: number
}

const optional = (wrong: MessageKey, most: number): ProblemWords => ({ missing: 'problem.unusable', wrong, most })

const words: Record<string, ProblemWords> = {
  firstName: { missing: 'problem.firstName', wrong: 'problem.longFirstName', most: 100 },
  lastName: { missing: 'problem.lastName', wrong: 'problem.longLastName', most: 100 },
  email: { missing: 'problem.emailMissing', wrong: 'problem.email' },
  dateOfBirth: { missing: 'problem.birthMissing', wrong: 'problem.noSuchDay' },
  sex: { missing: 'problem.sex', wrong: 'problem.sex' },
  guardianFirstName: { missing: 'problem.guardianFirstName', wrong: 'problem.longFirstName', most: 100 },
  guardianLastName: { missing: 'problem.guardianLastName', wrong: 'problem.longLastName', most: 100 },
  guardianRelation: { missing: 'problem.guardianRelationMissing', wrong: 'problem.guardianRelation' },
  phone: optional('problem.longPhone', 40),
  addressLine1: optional('problem.longLine', 200),
  addressLine2: optional('problem.longLine', 200),
  city: optional('problem.longCity', 100),
  state: optional('problem.longState', 100),
  zip: optional('problem.longZip', 20),
  country: optional('problem.longCountry', 60),
}

/** What may be left out, and is checked where it is not. */
const placeOrPhone: ReadonlySet<string> = new Set(['phone', 'state', 'zip', 'country'])

/** Field → what is wrong with it, as a sentence; in the order of the page. */
export type Problems = ReadonlyMap<string, string>

export type ReadForm = { input: z.output<typeof RegisterInput> } | { problems: Problems }

/** Only the fields of the page, as they were typed. */
export const typedFields = (form: Typed): Record<string, string> =>
  Object.fromEntries(fieldNames.map((name) => [name, (form[name] ?? '').slice(0, 1000)]))

export interface Reading {
  /** YYYY-MM-DD */
  today: string
  rule: PersonRule
  t: Translator
}

/** What was typed as the API takes it, or every problem in words. */
export function readDetails(typed: Typed, { today, rule, t }: Reading): ReadForm {
  const dateOfBirth = readDate(typed)
  const age = ageOn(dateOfBirth, rule.on)
  const guardian = guardianOf(typed, age < ADULT_AGE && age >= rule.minAge)
  const parsed = RegisterInput.safeParse({ ...typed, sex: typed.sex || undefined, dateOfBirth, guardian })
  const problems = new Map<string, string>()
  if (!parsed.success) {
    for (const { path, code } of parsed.error.issues) {
      const name = path[0] === 'guardian' ? guardianName(path[1]) : String(path[0])
      const isEmpty = name === 'dateOfBirth' ? !typed.day && !typed.month && !typed.year : !typed[name]?.trim()
      const problemWords = words[name] ?? optional('problem.unusable', 0)
      const isUnknown = code === 'custom' && placeOrPhone.has(name)
      problems.set(
        name,
        t(isUnknown ? 'problem.unknown' : isEmpty ? problemWords.missing : problemWords.wrong, {
          most: problemWords.most ?? 0,
          example: EXAMPLE_EMAIL,
        }),
      )
    }
    // Whoever has not seen that a child needs one is told why.
    const isUntold = guardian && !Object.values(guardian).some(Boolean)
    if (isUntold) problems.set('dateOfBirth', personWords(t, 'GUARDIAN_REQUIRED', rule, age))
  } else if (parsed.data.dateOfBirth > today) {
    problems.set('dateOfBirth', t('problem.futureDay'))
  } else {
    const refusal = personRefusal(rule, { age, sex: parsed.data.sex, hasGuardian: guardian !== undefined })
    if (refusal) problems.set(refusal.field, personWords(t, refusal.code, rule, age))
  }
  if (parsed.success && problems.size === 0) return { input: parsed.data }
  const order = Object.keys(words)
  return { problems: new Map([...problems].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))) }
}

/** Shown where an e-mail address is not complete. */
export const EXAMPLE_EMAIL = 'name@example.com'

function personWords(t: Translator, code: PersonRefusal['code'], rule: PersonRule, age: number): string {
  const { minAge, maxAge, sex } = rule
  const limits = { age, min: minAge, max: maxAge ?? 0, adult: ADULT_AGE }
  if (code === 'SEX_NOT_ALLOWED') return t(sex === 'F' ? 'problem.onlyFemale' : 'problem.onlyMale')
  if (code === 'GUARDIAN_REQUIRED') return t('problem.guardianNeeded', limits)
  if (code === 'VALIDATION_FAILED') return t('problem.guardianTooMany', limits)
  if (maxAge === null) return t('problem.ageFrom', limits)
  return t(minAge === 0 ? 'problem.ageUpTo' : 'problem.ageBetween', limits)
}

const guardianName = (part: PropertyKey | undefined) => {
  const name = String(part)
  return `guardian${name.charAt(0).toUpperCase()}${name.slice(1)}`
}

/** Who registers another person: whatever was typed of them, and always for a minor. */
function guardianOf({ guardianFirstName, guardianLastName, guardianRelation }: Typed, isNeeded: boolean) {
  if (!isNeeded && !guardianFirstName && !guardianLastName && !guardianRelation) return undefined
  return { firstName: guardianFirstName, lastName: guardianLastName, relation: guardianRelation || undefined }
}

/** The three fields as YYYY-MM-DD; something that is no date where they make none. */
export function readDate({ day = '', month = '', year = '' }: Typed): string {
  const [d, m, y] = [day, month, year].map((part) => part.trim())
  if (!d || !m || !y || !/^\d{1,2}$/.test(d) || !/^\d{1,2}$/.test(m) || !/^\d{4}$/.test(y)) return ''
  return `${y}-${m.padStart(2, '0')}-${d.padStart(2, '0')}`
}
