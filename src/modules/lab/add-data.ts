import type { Identified } from '@kitlane/lab-reader/identify/identify'
import { type Commas, commasIn, isUncertain, readSent } from '@kitlane/lab-reader/parse/number'
import type { Observation } from '@kitlane/lab-reader/parse/parsed'
import { newOpaqueId } from '../../domain/ids.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import * as audit from '../audit/service.ts'
import { biomarkers } from '../catalogue/service.ts'
import * as customers from '../customers/service.ts'
import { keepUnassessed } from '../reports/unassessed/service.ts'
import { reportFromData } from '../reports/versions/from-data.ts'
import { insertData } from './data-queries.ts'
import { identifyInSlices } from './identify-in-slices.ts'
import { insertReceived } from './received/queries.ts'
import { receivedOf } from './received/rules.ts'
import type { AddQuiz, AddTest, TestResult } from './schema.ts'
import { unassessedOf } from './unassessed.ts'

/** Stores a customer's answers to a quiz. @throws CUSTOMER_NOT_FOUND */
export async function addQuiz(tx: Tx, { userId, date, quizName, quizData }: AddQuiz): Promise<{ dataId: string }> {
  const { id } = await customers.find(tx, userId, 'share')
  const dataId = await insertData(tx, { customerId: id, kind: 'quiz', date, payload: { quizName, quizData } })
  await recordDataAdded(tx, 'quiz', dataId)
  return { dataId }
}

export interface AddedTest extends Pick<Identified, 'unmatched' | 'converted'> {
  dataId: string
  reportId?: string
  matched: number
}

/**
 * Stores results as they were sent and makes a report of those that match a biomarker. The others are kept for a person.
 * @throws CUSTOMER_NOT_FOUND, VALIDATION_FAILED
 */
export async function addTest(tx: Tx, { userId, date, biomarkerData }: AddTest): Promise<AddedTest> {
  const customer = await customers.find(tx, userId, 'share')
  assertDayOfResults(tx, date, customer)
  const customerId = customer.id
  const observations = observationsOf(biomarkerData)
  const { results, unmatched, converted } = await identifyInSlices(observations, await biomarkers(tx))
  const payload = { biomarkerData, unmatched }
  const dataId = await insertData(tx, { customerId, kind: 'test', date, payload })
  const unassessed = unassessedOf(unmatched, date)
  const receivedId = newOpaqueId('rcv')
  const made = { customerId, dataId, results, collectedDate: date, unassessed, receivedId }
  const reportId = results.length > 0 ? await reportFromData(tx, made) : undefined
  if (!reportId) await keepUnassessed(tx, { customerId, dataId, receivedId }, unassessed)
  const received = receivedOf({ observations, unmatched }, { waiting: unassessed.length })
  await insertReceived(tx, { id: receivedId, customerId, dataId, reportId, format: 'json' }, received)
  await recordDataAdded(tx, 'test', dataId)
  return { dataId, reportId, matched: results.length, unmatched, converted }
}

const DAY_MS = 24 * 3_600_000

/** The latest zone is most of a day ahead; later than that, or before the person's birth, nothing was measured. @throws VALIDATION_FAILED */
export function assertDayOfResults(
  { now }: Pick<Tx, 'now'>,
  date: string,
  { dateOfBirth }: Pick<customers.CustomerRow, 'dateOfBirth'>,
  path = 'date',
): void {
  if (Date.parse(date) > now.getTime() + DAY_MS) refuse([{ message: 'This is more than a day ahead', path }])
  if (dateOfBirth && date.slice(0, 10) < dateOfBirth) refuse([{ message: 'The person was not born then', path }])
}

const LOINC = /^\d{1,7}-\d$/

/** A comma is decimal only if the results prove it. */
function observationsOf(rows: readonly TestResult[]): Observation[] {
  const commas = commasIn(rows.flatMap(({ result }) => (typeof result === 'string' ? result : [])))
  return rows.map((row, index) => observationOf(row, index, commas))
}

function observationOf(row: TestResult, index: number, commas: Commas): Observation {
  const { name, result, simpleLabel, range_minimum: low, range_maximum: high } = row
  const unit = row.unit_of_measure ?? ''
  const valueText = String(result)
  const reading = typeof result === 'number' ? { value: result } : readSent(valueText, commas)
  const isDoubtful = typeof result === 'string' && reading.value === undefined && isUncertain(valueText, commas)
  return {
    name: LOINC.test(name) ? (simpleLabel ?? name) : name,
    ...(LOINC.test(name) && { loinc: name }),
    valueText,
    ...reading,
    ...(isDoubtful && { doubt: 'uncertainNumber' as const }),
    unit,
    ...((low ?? high) !== undefined && (low ?? high) !== null && { range: { low: low ?? null, high: high ?? null } }),
    status: 'final',
    position: `biomarkerData.${index}`,
    raw: `${name} ${valueText} ${unit}`,
  }
}

export const recordDataAdded = (tx: Tx, kind: string, dataId: string) =>
  audit.record(tx, [{ action: 'data.added', objectType: 'data', objectId: dataId, details: { kind } }])
