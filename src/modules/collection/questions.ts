import { Phase } from '@kitlane/lab-reader/facts/schema'
import { z } from 'zod'
import { line } from '../../platform/http/fields.ts'
import { isKnown, type KnownQuestion, type PanelQuestion } from '../catalogue/question-schema.ts'

/** What a person may name by a code; anything else is in their words. */
export const medicines = ['none', 'biotin', 'hormones', 'thyroidHormones', 'statins'] as const

const yesOrNo = z.enum(['yes', 'no'])
/** As a clock showed it: its length leaves no room for a Z. */
export const localMinute = z.iso.datetime({ local: true, precision: -1 }).length(16)
const MAX_HOURS = 72

interface Rule {
  shape: z.ZodType
  /** What can be answered, for who sent something else. */
  wanted: string
}

const known: Record<KnownQuestion, Rule> = {
  fasting: {
    shape: z.union([yesOrNo, z.number().min(0).max(MAX_HOURS)]),
    wanted: `\`yes\`, \`no\`, or the hours without food, 0 to ${MAX_HOURS}`,
  },
  cyclePhase: { shape: Phase, wanted: Phase.options.map((one) => `\`${one}\``).join(', ') },
  cycleDay: { shape: z.int().min(1).max(99), wanted: 'the day of the cycle, 1 to 99' },
  pregnant: { shape: yesOrNo, wanted: '`yes` or `no`' },
  medication: {
    shape: z
      .array(line(200))
      .min(1)
      .max(20)
      .refine((all) => !all.includes('none') || all.length === 1),
    wanted: `a list of ${medicines.map((one) => `\`${one}\``).join(', ')} or other words; \`none\` alone`,
  },
  timeOfLastDose: {
    shape: z.union([z.iso.date(), localMinute]),
    wanted: '`YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM` in `zone`',
  },
}

function ruleOf({ id, type, choices = [], min, max }: PanelQuestion): Rule {
  if (isKnown(id)) return known[id]
  if (type === 'choice') {
    const ids = choices.map((one) => one.id)
    return { shape: z.enum(ids as [string, ...string[]]), wanted: ids.map((one) => `\`${one}\``).join(', ') }
  }
  if (type === 'number') {
    const bounds = [min !== undefined && `from ${min}`, max !== undefined && `to ${max}`].filter(Boolean)
    const shape = z
      .number()
      .min(min ?? Number.NEGATIVE_INFINITY)
      .max(max ?? Number.POSITIVE_INFINITY)
    return { shape, wanted: ['a number', ...bounds].join(' ') }
  }
  if (type === 'date') return { shape: z.iso.date(), wanted: '`YYYY-MM-DD`' }
  return { shape: line(500), wanted: 'text of up to 500 characters in one line' }
}

/** Answers by the ID of their question. */
export const Answers = z.record(
  z.string().max(40),
  z.union([z.number(), z.string().max(500), z.array(z.string().max(200)).max(20)]),
)
export type Answers = z.infer<typeof Answers>

const ofWomen: readonly string[] = ['cyclePhase', 'cycleDay', 'pregnant']

const fits = (id: string, sex: string | undefined): boolean => sex !== 'M' || !ofWomen.includes(id)

/** The questions that fit a person. */
export const askedOf = (questions: readonly PanelQuestion[], sex: string | undefined): PanelQuestion[] =>
  questions.filter(({ id }) => fits(id, sex))

/** The answers that fit a person: their sex may have been corrected since. */
export const fitting = (answers: Answers, sex: string | undefined): Answers =>
  Object.fromEntries(Object.entries(answers).filter(([id]) => fits(id, sex)))

export interface AnswerProblem {
  id: string
  is: 'missing' | 'wrong' | 'notAsked' | 'late'
  message: string
}

/** A number that came as text, with a point or, as many write it, a comma; undefined for anything else. */
export const numberIn = (text: string): number | undefined =>
  /^-?\d+(?:[.,]\d+)?$/.test(text) ? Number(text.replace(',', '.')) : undefined

/** Answers as they are kept: a number may come as text, and one medicine without a list. */
export const lenientAnswers = (questions: readonly PanelQuestion[], answers: Answers): Answers =>
  Object.fromEntries(
    Object.entries(answers).map(([id, answer]) => {
      if (typeof answer !== 'string') return [id, answer]
      if (id === 'medication') return [id, [answer]]
      const isNumber =
        id === 'fasting' || id === 'cycleDay' || questions.find((one) => one.id === id)?.type === 'number'
      return [id, (isNumber ? numberIn(answer) : undefined) ?? answer]
    }),
  )

/** Days or minutes between which a dose was taken: the birth, and now where it is latest. */
export interface DoseBounds {
  born?: string | undefined
  now: string
}

/** What is wrong with answers to questions about a sample of a day or minute. */
export function answerProblems(
  questions: readonly PanelQuestion[],
  answers: Answers,
  collectedDate?: string,
  bounds?: DoseBounds,
): AnswerProblem[] {
  const asked = new Set(questions.map(({ id }) => id))
  const unknown = Object.keys(answers)
    .filter((id) => !asked.has(id))
    .map((id) => ({ id, is: 'notAsked' as const, message: 'This is not asked of this person: see `questions`' }))
  const wrong = questions.flatMap((question): AnswerProblem[] => {
    const { id, isRequired } = question
    const { shape, wanted } = ruleOf(question)
    if (!Object.hasOwn(answers, id))
      return isRequired ? [{ id, is: 'missing', message: `Is missing: send ${wanted}` }] : []
    if (!shape.safeParse(answers[id]).success) return [{ id, is: 'wrong', message: `Send ${wanted}` }]
    if (id !== 'timeOfLastDose') return []
    const day = String(answers[id])
    if (bounds && (day > bounds.now || day < (bounds.born ?? '')))
      return [{ id, is: 'wrong', message: 'Send a day from the birth until today' }]
    if (collectedDate === undefined) return []
    // Both are of one zone. A day alone may be the day of the sample.
    const [dose, sample] = [day, collectedDate]
    const length = Math.min(dose.length, sample.length)
    const isLate = dose.slice(0, length) > sample.slice(0, length)
    return isLate ? [{ id, is: 'late', message: 'This is after the sample was taken: send the last dose before' }] : []
  })
  const isContradicted = answers.pregnant === 'yes' && answers.cyclePhase === 'postmenopausal'
  const contradicted = {
    id: 'pregnant',
    is: 'wrong' as const,
    message: 'Not with `postmenopausal`: correct one of them',
  }
  return [...unknown, ...wrong, ...(isContradicted ? [contradicted] : [])]
}

// "Fasting is defined as no caloric intake for at least 8 h." American Diabetes Association, Standards of Care in Diabetes, section 2.
const FASTING_HOURS = 8
export const isFasting = (answer: Answers[string]): boolean =>
  typeof answer === 'number' ? answer >= FASTING_HOURS : answer === 'yes'

/** What judging knows of a sample by answers. */
export interface SampleFacts {
  fasting?: boolean
  phases?: Phase[]
  pregnant?: boolean
}

export function factsOf({ fasting, cyclePhase, pregnant }: Answers): SampleFacts {
  const phase = Phase.safeParse(cyclePhase)
  return {
    ...(fasting !== undefined && { fasting: isFasting(fasting) }),
    ...(phase.success && { phases: [phase.data] }),
    ...(pregnant !== undefined && { pregnant: pregnant === 'yes' }),
  }
}

/** An answer as a laboratory gets it: by the laboratory's own words where it gave some. */
export function answerText(answer: Answers[string], words: Readonly<Record<string, string>> = {}): string {
  const say = (text: string) => (Object.hasOwn(words, text) ? (words[text] ?? text) : text)
  if (Array.isArray(answer)) return answer.map(say).join(', ')
  // Hours without food answer yes or no, too, for a laboratory that wants no more.
  if (typeof answer === 'number' && !Object.hasOwn(words, String(answer)) && Object.hasOwn(words, 'yes'))
    return say(isFasting(answer) ? 'yes' : 'no')
  return say(String(answer))
}
