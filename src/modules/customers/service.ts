import { isDeepStrictEqual } from 'node:util'
import { DatabaseError } from 'pg'
import { ADULT_AGE, ageOn } from '../../domain/age.ts'
import { AppError } from '../../domain/errors.ts'
import { newCustomerId } from '../../domain/ids.ts'
import { oldestFirst, type Part } from '../../platform/database/oldest-first.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { refuse } from '../../platform/http/validate.ts'
import type { RealmPorts } from '../../platform/ports/realm-ports.ts'
import * as audit from '../audit/service.ts'
import * as events from '../events/service.ts'
import { deleteGuardian, type Guardian, selectGuardian, upsertGuardian } from './guardian-queries.ts'
import {
  blankCustomer,
  type CustomerFilter,
  type CustomerRow,
  insertCustomer,
  type ListedRow,
  type Lock,
  type NewCustomer,
  type ReportRow,
  selectAfter,
  selectCustomer,
  selectCustomerOf,
  selectLanguages,
  selectPart,
  selectReports,
  updateCustomer,
  updateLanguage,
  updateResearch,
} from './queries.ts'
import { datesAnswer } from './report-dates.ts'
import * as rules from './rules.ts'
import { corrected, correctedAt, type FoundPerson, newPerson, type RegisteredPerson, shownEmail } from './rules.ts'
import type { Correction, CreateCustomer, Customer, CustomerReport, ListedCustomer } from './schema.ts'

export type { CustomerFilter, CustomerRow, ListedRow } from './queries.ts'
export type { FoundPerson, RegisteredPerson } from './rules.ts'

/**
 * The customer with this ID or external_id (the ID wins); undefined if it does not exist or it was erased.
 * `share` keeps an erasure away until this transaction ends: for callers that then add data about the person.
 */
export function maybeFind(
  tx: Tx,
  idOrExternalId: string | number,
  lock: Lock = 'none',
): Promise<CustomerRow | undefined> {
  return selectCustomer(tx, String(idOrExternalId), lock)
}

/** As `maybeFind`. @throws CUSTOMER_NOT_FOUND */
export async function find(tx: Tx, idOrExternalId: string | number, lock: Lock = 'none'): Promise<CustomerRow> {
  const customer = await maybeFind(tx, idOrExternalId, lock)
  if (!customer) throw new AppError('CUSTOMER_NOT_FOUND', 'There is no such customer')
  return customer
}

/** A customer with all their reports, published or not. @throws CUSTOMER_NOT_FOUND */
export async function get(tx: Tx, idOrExternalId: string): Promise<Customer> {
  const customer = await find(tx, idOrExternalId)
  const reports = await selectReports(tx, customer.id)
  const guardian = await selectGuardian(tx, customer.id)
  return { ...toRecord(customer), ...(guardian && { guardian: toShown(guardian) }), reports: reports.map(toReport) }
}

const toShown = ({ firstName, lastName, email, relation }: Guardian) => ({
  name: `${firstName} ${lastName}`,
  email,
  relation,
})

// Reading, shaping and writing them takes about 10 ms of the event loop.
const PART = 250

/** Every customer that fits, newest first, as a JSON array in parts. */
export async function* listInParts(ports: RealmPorts, filter: CustomerFilter): AsyncGenerator<string> {
  let last: ListedCustomer | undefined
  for (let isFirst = true; ; isFirst = false) {
    const part = await ports.open((tx) => listAfter(tx, filter, { id: last?.id, size: PART }))
    const items = part.map((customer) => JSON.stringify(customer)).join(',')
    yield isFirst ? `[${items}` : items && `,${items}`
    last = part.at(-1)
    if (part.length < PART) break
  }
  yield ']'
}

/** A page of the same, newest first unless it says otherwise, and how many there are. */
export async function listPage(
  tx: Tx,
  { page, size, isOldestFirst, ...filter }: CustomerFilter & { page: number; size: number; isOldestFirst?: boolean },
): Promise<{ customers: ListedCustomer[]; total: number }> {
  const read = (part: Part) => selectPart(tx, filter, part)
  const part = { skip: page * size, size }
  const { total, rows } = isOldestFirst ? await oldestFirst(part, read) : await read(part)
  return { customers: rows.map(toListed), total }
}

/** Customers after one in the order of the list; from its beginning on without it. */
export async function listAfter(
  tx: Tx,
  filter: CustomerFilter,
  place: Parameters<typeof selectAfter>[2],
): Promise<ListedCustomer[]> {
  return (await selectAfter(tx, filter, place)).map(toListed)
}

/** The same as rows. */
export const listRowsAfter = selectAfter

const toListed = (row: ListedRow): ListedCustomer => ({
  ...toRecord(row),
  createdDate: row.createdAt.toISOString(),
  reports: row.reportIds,
})

/** In which language each of these customers reads, of whom it is known; none is asked of nobody. */
export async function languagesOf(tx: Tx, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  const rows = ids.length === 0 ? [] : await selectLanguages(tx, ids)
  return new Map(rows.map(({ id, language }) => [id, language]))
}

/** In which language a customer reads: the code of two letters; undefined if nobody knows. */
export const languageOf = async (tx: Tx, id: number): Promise<string | undefined> =>
  (await languagesOf(tx, [id])).get(id)

/** Keeps in which language a customer reads. */
export const saveLanguage = updateLanguage

/** Makes a customer. @throws CUSTOMER_EXISTS, EXTERNAL_ID_EXISTS, VALIDATION_FAILED for a date of birth to come */
export async function create(tx: Tx, input: CreateCustomer): Promise<Customer> {
  const { address, ...given } = input
  const { external_id, email, name, dateOfBirth, gender, customTags = [] } = given
  assertBorn(tx, dateOfBirth)
  const customer: NewCustomer = {
    id: newCustomerId(),
    externalId: external_id ?? null,
    email,
    name,
    dateOfBirth: dateOfBirth ?? null,
    gender: gender ?? null,
    firstName: null,
    lastName: null,
    phone: null,
    address: address ?? null,
    race: null,
    research: false,
    customTags,
  }
  if (!(await uniquely(() => insertCustomer(tx, customer)))) throw emailTaken()
  await announce(tx, customer)
  return { id: customer.id, ...given, customTags, reports: [] }
}

/**
 * The customer of this e-mail (compared case-insensitively), created if missing. What an existing one lacks is
 * filled in and nothing is overwritten, except the latest word on research. `differences`: it may be another person, and nothing
 * is written. @throws EXTERNAL_ID_EXISTS
 */
export async function findOrCreate(
  tx: Tx,
  person: RegisteredPerson,
  { isUnannounced = false } = {},
): Promise<FoundPerson> {
  const found = await fill(tx, person)
  if (found) return { ...found, created: false }
  const customer: NewCustomer = { id: newCustomerId(), ...newPerson(person) }
  if (await uniquely(() => insertCustomer(tx, customer))) {
    await announce(tx, customer, isUnannounced)
    return { id: customer.id, created: true, differences: [] }
  }
  // Another transaction made the same person between the two statements, and its commit is visible by now.
  const twin = await fill(tx, person)
  if (!twin) throw new AppError('OVERLOADED', 'This person was erased at this moment, try again')
  return { ...twin, created: false }
}

/** Fills what the customer of this e-mail lacks. Undefined if it does not exist. Locks the row either way. */
async function fill(tx: Tx, person: RegisteredPerson): Promise<Omit<FoundPerson, 'created'> | undefined> {
  const known = await selectCustomerOf(tx, person.email, 'update')
  if (!known) return undefined
  const found = rules.differencesFrom(known, person)
  if (found.length === 0) await write(tx, known, rules.filled(known, person))
  return { id: known.id, differences: found }
}

async function write(tx: Tx, before: CustomerRow, after: CustomerRow): Promise<void> {
  if (!(await uniquely(() => updateCustomer(tx, before, after)))) throw emailTaken()
}

/**
 * Corrects a locked customer and says so by an event. Returns the names of the fields that changed; none: nothing was written.
 * @throws CUSTOMER_EXISTS, EXTERNAL_ID_EXISTS, VALIDATION_FAILED for a date of birth to come
 */
export async function correct(
  tx: Tx,
  before: CustomerRow,
  given: Correction,
  reason: string | undefined,
): Promise<string[]> {
  const change = rules.withCountry(before, given)
  assertBorn(tx, change.dateOfBirth)
  const known = { ...before, external_id: before.externalId } as Record<string, unknown>
  const changed = Object.keys(change).filter(
    (name) => name !== 'parts' && !isDeepStrictEqual(known[name], change[name as keyof Correction]),
  )
  if (changed.length === 0) return []
  const dates = correctedAt(before, changed, tx.now)
  const after = { ...corrected(before, await withOwnAddress(tx, before, change)), ...dates }
  await write(tx, before, after)
  const id = after.externalId
  const data = { id: before.id, ...(id !== null && { external_id: id }), updatedDate: tx.now.toISOString(), changed }
  await events.record(tx, [{ type: 'customer.updated', data }])
  const entry = {
    action: 'customer.updated' as const,
    objectType: 'customer',
    objectId: String(before.id),
    details: { changed },
  }
  await audit.record(tx, [{ ...entry, ...(reason && { words: { reason } }) }])
  return changed
}

/**
 * A correction of the person themselves: a new e-mail of a minor is the guardian's, and from 18 on there is no guardian any
 * more.
 */
async function withOwnAddress(tx: Tx, { id, dateOfBirth }: CustomerRow, change: Correction): Promise<Correction> {
  const { email, ...others } = change
  const guardian = email !== undefined && (await selectGuardian(tx, id))
  if (!guardian) return change
  const isMinor = dateOfBirth !== null && ageOn(dateOfBirth, tx.now.toISOString()) < ADULT_AGE
  if (!isMinor) {
    await deleteGuardian(tx, id)
    return change
  }
  await upsertGuardian(tx, id, { ...guardian, email })
  return others
}

function assertBorn(tx: Tx, dateOfBirth: string | undefined): void {
  if (dateOfBirth === undefined || dateOfBirth <= tx.now.toISOString()) return
  refuse([{ message: 'A date of birth is not in the future', path: 'dateOfBirth' }])
}

/** Empties the record of a person and marks it erased; the number stays, so that it is never given again. */
export async function blank(tx: Tx, customer: CustomerRow): Promise<void> {
  await deleteGuardian(tx, customer.id)
  await blankCustomer(tx, customer)
}

/** The person's results are not shared for research any more. */
export function endResearch(tx: Tx, id: number): Promise<void> {
  return updateResearch(tx, id, false)
}

const emailTaken = (cause?: unknown) =>
  new AppError('CUSTOMER_EXISTS', 'A customer with this e-mail exists already', { cause })

async function uniquely<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (err) {
    if (!(err instanceof DatabaseError)) throw err
    if (err.constraint === 'customers_email_hash') throw emailTaken(err)
    if (err.constraint !== 'customers_external_id') throw err
    throw new AppError('EXTERNAL_ID_EXISTS', 'Another customer has this external_id', { cause: err })
  }
}

async function announce(tx: Tx, { id, externalId }: Pick<NewCustomer, 'id' | 'externalId'>, isUnannounced = false) {
  const data = { id, ...(externalId !== null && { external_id: externalId }), createdDate: tx.now.toISOString() }
  if (!isUnannounced) await events.record(tx, [{ type: 'customer.created', data }])
  await audit.record(tx, [{ action: 'customer.created', objectType: 'customer', objectId: String(id) }])
}

function toRecord(row: CustomerRow): Omit<Customer, 'reports'> {
  return {
    id: row.id,
    external_id: row.externalId ?? undefined,
    name: row.name,
    email: shownEmail(row.email),
    dateOfBirth: row.dateOfBirth ?? undefined,
    gender: row.gender ?? undefined,
    customTags: row.customTags,
  }
}

function toReport(row: ReportRow): CustomerReport {
  return {
    id: row.id,
    kitID: row.kitId ?? undefined,
    ...datesAnswer(row),
    status: row.status,
    vendorStatus: row.vendorStatus,
    ...(row.isRecalled && { isRecalled: true as const }),
  }
}
