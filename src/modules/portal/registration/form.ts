import type { z } from 'zod'
import { ADULT_AGE, ageOn } from '../../../domain/age.ts'
import { ageProblem } from '../../kits/age-rules.ts'
import { RegisterInput } from '../../kits/schema.ts'
import type { AgeRule } from './consent.ts'

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

export interface Words {
  /** Said where nothing was typed. */
  missing: string
  /** Said where it cannot be used. */
  wrong: string
}

const tooLong = (what: string, most: number) => `${what} can have at most ${most} characters here. Please shorten it.`

const words: Record<string, Words> = {
  firstName: { missing: 'Write the first name.', wrong: tooLong('The first name', 100) },
  lastName: { missing: 'Write the last name.', wrong: tooLong('The last name', 100) },
  email: {
    missing: 'Write your e-mail address. We send the way to your report there.',
    wrong: 'This is not a complete e-mail address. It looks like name@example.com.',
  },
  dateOfBirth: {
    missing: 'Give the day, the month and the year of birth.',
    wrong: 'There is no such day. Give the day, the month, and the year with four digits, such as 1985.',
  },
  sex: { missing: 'Choose one of the two.', wrong: 'Choose one of the two.' },
  guardianFirstName: { missing: 'Write your own first name.', wrong: tooLong('The first name', 100) },
  guardianLastName: { missing: 'Write your own last name.', wrong: tooLong('The last name', 100) },
  guardianRelation: { missing: 'Choose what you are to this person.', wrong: 'Choose one of these.' },
  phone: { missing: '', wrong: tooLong('The telephone number', 40) },
  addressLine1: { missing: '', wrong: tooLong('This line', 200) },
  addressLine2: { missing: '', wrong: tooLong('This line', 200) },
  city: { missing: '', wrong: tooLong('The city', 100) },
  state: { missing: '', wrong: tooLong('The state', 100) },
  zip: { missing: '', wrong: tooLong('The ZIP or postal code', 20) },
  country: { missing: '', wrong: tooLong('The country', 60) },
}

/** Field → what is wrong with it, as a sentence; in the order of the page. */
export type Problems = ReadonlyMap<string, string>

export type ReadForm = { input: z.output<typeof RegisterInput> } | { problems: Problems }

/** Only the fields of the page, as they were typed. */
export const typedFields = (form: Typed): Record<string, string> =>
  Object.fromEntries(fieldNames.map((name) => [name, (form[name] ?? '').slice(0, 1000)]))

/** What was typed as the API takes it, or every problem in words. `today` is YYYY-MM-DD. */
export function readDetails(typed: Typed, today: string, rule: AgeRule): ReadForm {
  const dateOfBirth = readDate(typed)
  const age = ageOn(dateOfBirth, rule.on)
  const guardian = guardianOf(typed, age < ADULT_AGE && age >= rule.minAge)
  const parsed = RegisterInput.safeParse({ ...typed, sex: typed.sex || undefined, dateOfBirth, guardian })
  const problems = new Map<string, string>()
  if (!parsed.success) {
    for (const { path } of parsed.error.issues) {
      const name = path[0] === 'guardian' ? guardianName(path[1]) : String(path[0])
      const isEmpty = name === 'dateOfBirth' ? !typed.day && !typed.month && !typed.year : !typed[name]?.trim()
      const said = words[name] ?? { missing: 'This cannot be used.', wrong: 'This cannot be used.' }
      problems.set(name, isEmpty ? said.missing : said.wrong)
    }
  } else if (parsed.data.dateOfBirth > today) {
    problems.set('dateOfBirth', 'This date is still to come. Please check the year.')
  } else {
    const problem = ageProblem(rule, age, guardian !== undefined)
    if (problem) problems.set('dateOfBirth', problem.sentence)
  }
  if (parsed.success && problems.size === 0) return { input: parsed.data }
  const order = Object.keys(words)
  return { problems: new Map([...problems].sort(([a], [b]) => order.indexOf(a) - order.indexOf(b))) }
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
