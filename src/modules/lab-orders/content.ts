import { createHash } from 'node:crypto'
import { ageOn } from '../../domain/age.ts'
import { type Answers, answerText } from '../collection/questions.ts'
import type { KitApproval } from '../orders/queries.ts'
import type { Connection } from './connection-queries.ts'
import type { LabOrderAction } from './decision.ts'
import type { LaboratoryTest } from './schema.ts'

/** What a registration says of the person who is tested. */
export interface Registered {
  firstName: string
  lastName: string
  dateOfBirth: string
  sex?: 'M' | 'F'
  phone?: string
  addressLine1?: string
  addressLine2?: string
  city?: string
  state?: string
  zip?: string
  country?: string
}

/** What an order says, whatever the form. */
export interface OrderContent {
  placerNumber: string
  fillerNumber: string | null
  /** What is printed on the sample. */
  kitId: string
  person: Registered
  test: LaboratoryTest
  /** `YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM` with its offset: no more than somebody said. */
  collected: string | null
  received: string | null
  ordered: string
  /** Who approved the order of the kit; undefined: nobody had to. */
  approval?: KitApproval
  answers: { code: string; text: string; codingSystem: string; value: string }[]
}

/** What an order is sent as. */
export interface OrderMessage {
  controlId: string
  action: LabOrderAction
  at: Date
  content: OrderContent
  laboratory: Pick<Connection, 'application' | 'facility' | 'sendingFacility'>
}

/** Known of a kit beside its person. */
export interface Known {
  /** The same. */
  collected: string | null
  /** To the questions of the panel. */
  answers: Answers
  postedAt: Date | null
  receivedAt: string | undefined
}

/** By what the laboratory knows an order: the kit ID, which is on the sample too; after a cancellation with a number behind it. */
export const placerNumberOf = ({ kitId, round }: { kitId: string; round: number }): string =>
  round === 1 ? kitId : `${kitId}-${round}`

/** The same number, of a message by its control ID. */
export function roundOf(controlId: string): number {
  const [, round] = /-(\d+)\.\d+$/.exec(controlId) ?? []
  return Number(round ?? 1)
}

/** The answers at order entry that are known, and the texts of required questions without one. */
export function answersOf(test: LaboratoryTest, person: Registered, known: Known, today: string) {
  const told = {
    ageYears: String(ageOn(person.dateOfBirth, known.collected?.slice(0, 10) ?? today)),
    sex: person.sex,
    collectionDate: known.collected?.slice(0, 10),
    collectionTime: known.collected?.slice(11, 16) || undefined,
    postedDate: known.postedAt?.toISOString().slice(0, 10),
    state: person.state,
    country: person.country,
  }
  const said = (answer: LaboratoryTest['questions'][number]['answer']) => {
    if ('fact' in answer) return told[answer.fact]
    if ('value' in answer) return answer.value
    const given = Object.hasOwn(known.answers, answer.question) ? known.answers[answer.question] : undefined
    return given === undefined ? undefined : answerText(given, answer.values)
  }
  const asked = test.questions.map(({ answer, isRequired, ...question }) => ({
    ...question,
    isRequired,
    value: said(answer),
  }))
  return {
    answers: asked.flatMap(({ isRequired: _, value, ...question }) => (value ? [{ ...question, value }] : [])),
    missing: asked.filter(({ isRequired, value }) => isRequired && !value).map(({ text }) => text),
  }
}

/** Another digest for an order that says something else. */
export const digestOf = (content: OrderContent): Buffer =>
  createHash('sha256')
    .update(JSON.stringify({ ...content, fillerNumber: null, received: null }))
    .digest()
