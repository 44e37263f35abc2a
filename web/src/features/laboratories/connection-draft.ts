import type { components, paths } from '@kitlane/client'

export type Connection = components['schemas']['LabConnection']
type Test = Connection['tests'][number]
type Question = Test['questions'][number]
export type Fact = Extract<Question['answer'], { fact: unknown }>['fact']
type ConnectionBody = NonNullable<
  paths['/operator/v1/laboratories/{laboratoryID}/connection']['post']['requestBody']
>['content']['application/json']

export interface QuestionDraft extends Omit<Question, 'answer'> {
  key: number
  /** A fact, `question` for what the person answers, or `value` for an answer that is always the same. */
  from: Fact | 'question' | 'value'
  /** The answer, or the ID of the question of the panel. */
  value: string
  /** The laboratory's words for answers, which only the API sets. */
  values?: Readonly<Record<string, string>> | undefined
}

export interface TestDraft extends Omit<Test, 'questions'> {
  key: number
  questions: QuestionDraft[]
}

type Names = 'isActive' | 'format' | 'application' | 'facility' | 'sendingFacility' | 'countries' | 'states'

export interface Draft extends Pick<Connection, Names> {
  priority: number | string
  capacityPerDay: number | string
  kind: Connection['transport']['kind']
  url: string
  folder: string
  /** What becomes of the header that is set. */
  secret: 'keep' | 'replace' | 'remove'
  authorization: string
  tests: TestDraft[]
}

export const nextKey = (rows: readonly { key: number }[]): number => Math.max(-1, ...rows.map(({ key }) => key)) + 1

export const newQuestion = (key: number): QuestionDraft => ({
  key,
  code: '',
  text: '',
  codingSystem: 'L',
  from: 'collectionDate',
  value: '',
  isRequired: false,
})

export const newTest = (key: number): TestDraft => ({
  key,
  kitType: '',
  code: '',
  name: '',
  codingSystem: 'L',
  specimen: 'BLD',
  questions: [],
})

const first: Draft = {
  isActive: true,
  priority: 100,
  capacityPerDay: '',
  kind: 'mllp',
  url: '',
  folder: '',
  format: 'hl7v2',
  secret: 'keep',
  authorization: '',
  application: '',
  facility: '',
  sendingFacility: '',
  countries: [],
  states: [],
  tests: [newTest(0)],
}

export function draftOf(connection: Connection | undefined): Draft {
  if (!connection) return first
  const { transport, tests, capacityPerDay, ...rest } = connection
  return {
    ...first,
    ...rest,
    capacityPerDay: capacityPerDay ?? '',
    kind: transport.kind,
    ...(transport.kind === 'folder' ? { folder: transport.folder } : { url: transport.url }),
    tests: tests.map(({ questions, ...test }, key) => ({ ...test, key, questions: questions.map(questionOf) })),
  }
}

const questionOf = ({ answer, ...question }: Question, key: number): QuestionDraft => {
  if ('fact' in answer) return { ...question, key, from: answer.fact, value: '' }
  if ('value' in answer) return { ...question, key, from: 'value', value: answer.value }
  return { ...question, key, from: 'question', value: answer.question, values: answer.values }
}

const transportOf = ({ kind, url, folder }: Draft): ConnectionBody['transport'] =>
  kind === 'folder' ? { kind, folder: folder.trim() } : { kind, url: url.trim() }

/** Whether the header that is set is lost, because it was given for another address. */
export const losesHeader = (draft: Draft, { hasAuthorization, transport }: Connection): boolean =>
  hasAuthorization && !isSame(transportOf(draft), transport)

const isSame = (one: Connection['transport'], other: Connection['transport']): boolean =>
  one.kind === other.kind && addressOf(one) === addressOf(other)

/** The address of a transport, or its folder. */
export const addressOf = (transport: Connection['transport']): string =>
  transport.kind === 'folder' ? transport.folder : transport.url

export function bodyOf(draft: Draft, before: Connection | undefined): ConnectionBody {
  const { isActive, format, application, facility, sendingFacility, countries, states, tests } = draft
  const given = draft.authorization.trim()
  const keeps = before?.hasAuthorization && !losesHeader(draft, before) && draft.secret !== 'replace'
  const authorization = keeps ? (draft.secret === 'remove' ? null : undefined) : given || undefined
  return {
    isActive,
    transport: transportOf(draft),
    // Only requests over https are made in FHIR, or have a header.
    ...(draft.kind === 'https' && { format, authorization }),
    application,
    facility,
    sendingFacility,
    countries,
    states,
    priority: Number(draft.priority),
    capacityPerDay: draft.capacityPerDay === '' ? null : Number(draft.capacityPerDay),
    tests: tests.map(({ key: _, questions, ...test }) => ({ ...test, questions: questions.map(bodyOfQuestion) })),
  }
}

const bodyOfQuestion = ({ key: _, from, value, values, ...question }: QuestionDraft) => ({
  ...question,
  answer:
    from === 'value'
      ? { value }
      : from === 'question'
        ? { question: value, ...(values && { values }) }
        : { fact: from },
})

/** What the service says of a field, by its path; of a list also what it says of one of its parts. */
export type ProblemOf = (path: string) => string | undefined

export const problemsIn =
  (details: readonly { path?: string; message: string }[] = []): ProblemOf =>
  (path) =>
    details.find((one) => one.path === path || one.path?.startsWith(`${path}.`))?.message
