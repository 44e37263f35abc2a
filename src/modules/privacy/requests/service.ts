import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId } from '../../../domain/ids.ts'
import { maybeFindLanguage } from '../../../domain/translations/translator.ts'
import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { maybeFindGuardian } from '../../customers/guardians.ts'
import { selectNames } from '../../customers/queries.ts'
import { shownEmail } from '../../customers/rules.ts'
import * as customers from '../../customers/service.ts'
import * as emails from '../../emails/service.ts'
import { dataAnswered, dataRequested, dataRequestWaits, type PersonEmail } from '../../emails/templates.ts'
import * as events from '../../events/service.ts'
import { type Erasure, erase, lockToErase } from '../erase.ts'
import { exportOf } from '../export.ts'
import type { CustomerExport } from '../schema.ts'
import * as queries from './queries.ts'
import { answerBy, copyScopes, copyUntil, dayBefore, REQUESTS_A_DAY, type RequestKind } from './rules.ts'
import { type DataRequest, toRequest } from './schema.ts'

/**
 * Records that a person asked for a copy of their data, or for its erasure. While one of the kind is open, nothing happens. The
 * person and the business get an e-mail. @throws CUSTOMER_NOT_FOUND, RATE_LIMITED: three were made today
 */
export async function requestData(tx: Tx, customerId: number, kind: RequestKind): Promise<void> {
  // An erasure waits for it, or else is over: a request of an erased person is never written.
  await customers.find(tx, customerId, 'update')
  const known = await queries.selectRequestsOf(tx, customerId)
  if (known.some((one) => one.kind === kind && one.status === 'open')) return
  if ((await queries.countRequestsSince(tx, customerId, dayBefore(tx.now))) >= REQUESTS_A_DAY)
    throw new AppError('RATE_LIMITED', 'Too many requests were made today')
  const id = newOpaqueId('dreq')
  if (!(await queries.insertRequest(tx, { id, customerId, kind }))) return
  const by = answerBy(tx.now)
  await write(tx, customerId, dataRequested(kind))
  await emails.queue(tx, [{ content: dataRequestWaits({ id, kind, by, realm: tx.realm }), to: 'business' }])
  const data = { dataRequestID: id, customerID: customerId, kind, requestedDate: tx.now.toISOString() }
  await events.record(tx, [{ type: 'data_request.created', data: { ...data, answerByDate: by.toISOString() } }])
  await record(tx, 'data_request.made', { id, customerId, kind })
}

/** To the person; of a minor, to the guardian. */
async function write(tx: Tx, customerId: number, content: PersonEmail, isLinked = false): Promise<void> {
  const { email, firstName } = await customers.find(tx, customerId)
  const to = (await maybeFindGuardian(tx, customerId)) ?? { email: shownEmail(email), firstName }
  if (to.email === '') return
  const language = maybeFindLanguage([await customers.languageOf(tx, customerId)])
  const link = isLinked ? { link: { customerId } } : {}
  await emails.queue(tx, [{ content, language, to: to.email, name: to.firstName, ...link }])
}

const record = (
  tx: Tx,
  action: audit.AuditAction,
  { id, customerId, kind }: Pick<queries.DataRequestRow, 'id' | 'customerId' | 'kind'>,
): Promise<void> =>
  audit.record(tx, [{ action, objectType: 'customer', objectId: String(customerId), details: { request: id, kind } }])

/** What a person asked for, newest first. */
export const requestsOf = queries.selectRequestsOf

/** The copy that was granted to a person; undefined: none can be downloaded now. Audited as an export. */
export async function copyFor(tx: Tx, customerId: number): Promise<CustomerExport | undefined> {
  const granted = (await queries.selectRequestsOf(tx, customerId)).some((one) => copyUntil(one, tx.now))
  return granted ? exportOf(tx, String(customerId), new Set(copyScopes)) : undefined
}

/** Open requests first, the one that waits longest at the top; closed ones newest first. */
export async function listRequests(
  tx: Tx,
  filter: queries.RequestFilter,
  place: { page: number; size: number },
): Promise<{ requests: DataRequest[]; total: number }> {
  const { rows, total } = await queries.selectRequestPage(tx, filter, place)
  return { requests: await shown(tx, rows), total }
}

async function shown(tx: Tx, rows: readonly queries.DataRequestRow[]): Promise<DataRequest[]> {
  const names = await selectNames(tx, [...new Set(rows.map(({ customerId }) => customerId))])
  return rows.map((row) => toRequest(row, names.get(row.customerId) ?? '', tx.now))
}

const notFound = () => new AppError('DATA_REQUEST_NOT_FOUND', 'There is no such request of a person')

async function findOpen(tx: Tx, id: string, kind?: RequestKind): Promise<queries.DataRequestRow> {
  const request = await queries.lockRequest(tx, id)
  if (!request || (kind && request.kind !== kind)) throw notFound()
  if (request.status !== 'open') throw new AppError('DATA_REQUEST_CLOSED', `The request was ${request.status} before`)
  return request
}

async function close(
  tx: Tx,
  request: queries.DataRequestRow,
  outcome: { status: 'granted' | 'refused'; reason: string | null },
): Promise<DataRequest> {
  await queries.updateClosed(tx, request.id, outcome)
  await record(tx, `data_request.${outcome.status}`, request)
  await write(tx, request.customerId, dataAnswered, true)
  const closed = await queries.selectRequest(tx, request.id)
  const [answer] = closed ? await shown(tx, [closed]) : []
  if (!answer) throw new Error('the request was just closed')
  return answer
}

/** Lets the person download a copy on their pages, made when they do. @throws DATA_REQUEST_NOT_FOUND, DATA_REQUEST_CLOSED */
export const grantCopy = async (tx: Tx, id: string): Promise<DataRequest> =>
  close(tx, await findOpen(tx, id, 'copy'), { status: 'granted', reason: null })

/** Tells the person why they do not get what they asked for. @throws DATA_REQUEST_NOT_FOUND, DATA_REQUEST_CLOSED */
export const refuseRequest = async (tx: Tx, id: string, reason: string): Promise<DataRequest> =>
  close(tx, await findOpen(tx, id), { status: 'refused', reason })

/**
 * Erases the person who asked for it, and the request with them.
 * @throws DATA_REQUEST_NOT_FOUND, DATA_REQUEST_CLOSED, CUSTOMER_NOT_FOUND: erased meanwhile
 */
export async function grantErasure(tx: Tx, id: string): Promise<Erasure> {
  const dataRequest = await queries.selectRequest(tx, id)
  if (!dataRequest) throw notFound()
  // Locks as every erasure does, before the request: two that grant it at once do not deadlock.
  await lockToErase(tx, dataRequest.customerId)
  await record(tx, 'data_request.granted', await findOpen(tx, id, 'erasure'))
  return erase(tx, dataRequest.customerId)
}
