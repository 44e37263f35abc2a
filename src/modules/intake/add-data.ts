import type { Tx } from '../../platform/database/tx.ts'
import * as audit from '../audit/service.ts'
import { biomarkers } from '../catalogue/service.ts'
import * as customers from '../customers/service.ts'
import { reportFromData } from '../reports/from-data.ts'
import { readingOf } from '../reports/reading.ts'
import { type Identified, identifyInSlices } from './parse/identify/identify.ts'
import type { Observation } from './parse/parsed.ts'
import { insertData } from './queries.ts'
import type { AddQuiz, AddTest, TestResult } from './schema.ts'

/** Keeps a customer's answers to a quiz. @throws CUSTOMER_NOT_FOUND */
export async function addQuiz(tx: Tx, { userId, date, quizName, quizData }: AddQuiz): Promise<{ dataId: string }> {
  const { id } = await customers.find(tx, userId, 'share')
  const dataId = await insertData(tx, { customerId: id, kind: 'quiz', date, payload: { quizName, quizData } })
  await recordAdded(tx, 'quiz', dataId)
  return { dataId }
}

export interface AddedTest extends Pick<Identified, 'unmatched' | 'converted'> {
  dataId: string
  reportId?: string
  matched: number
}

/**
 * Keeps a set of results and makes a report of those that a biomarker fits; what fits none is kept as it came and said.
 * @throws CUSTOMER_NOT_FOUND
 */
export async function addTest(tx: Tx, { userId, date, biomarkerData }: AddTest): Promise<AddedTest> {
  const { id: customerId } = await customers.find(tx, userId, 'share')
  const { results, unmatched, converted } = await identifyInSlices(
    biomarkerData.map(toObservation),
    await biomarkers(tx),
  )
  const payload = { biomarkerData, unmatched }
  const dataId = await insertData(tx, { customerId, kind: 'test', date, payload })
  const reportId =
    results.length > 0 ? await reportFromData(tx, { customerId, dataId, results, collectedDate: date }) : undefined
  await recordAdded(tx, 'test', dataId)
  return { dataId, reportId, matched: results.length, unmatched, converted }
}

const LOINC = /^\d{1,7}-\d$/

function toObservation(row: TestResult, index: number): Observation {
  const { name, result, unit_of_measure: unit, simpleLabel, range_minimum: low, range_maximum: high } = row
  const valueText = String(result)
  const reading = typeof result === 'number' ? { value: result } : readingOf(valueText)
  return {
    name: LOINC.test(name) ? (simpleLabel ?? name) : name,
    ...(LOINC.test(name) && { loinc: name }),
    valueText,
    ...reading,
    unit,
    ...((low ?? high) !== undefined && (low ?? high) !== null && { range: { low: low ?? null, high: high ?? null } }),
    status: 'final',
    position: `biomarkerData.${index}`,
    raw: `${name} ${valueText} ${unit}`,
  }
}

export const recordAdded = (tx: Tx, kind: string, dataId: string) =>
  audit.record(tx, [{ action: 'data.added', objectType: 'data', objectId: dataId, details: { kind } }])
