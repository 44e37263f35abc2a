import { AppError } from '../../../domain/errors.ts'
import { newOpaqueId } from '../../../domain/ids.ts'
import { type Realm, type SystemTx, type Tx, within } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import * as businesses from '../../businesses/service.ts'
import { maybeFindGuardian } from '../../customers/guardians.ts'
import type { CustomerRow } from '../../customers/service.ts'
import * as customers from '../../customers/service.ts'
import { selectWithdrawals } from '../../kits/consent/withdrawal-queries.ts'
import { selectConsents } from '../../kits/consent-queries.ts'
import { selectFile } from '../../lab/data-queries.ts'
import { selectLaboratoryData } from '../../lab/erasure-queries.ts'
import { selectData, selectKitsIn, selectReports, selectUnassessed, selectVersions } from '../export-queries.ts'
import * as queries from './queries.ts'
import type { RetainedKind } from './rules.ts'
import type { RetentionPolicy } from './terms.ts'

/**
 * Seals what is kept of a person, before anything of it is gone. What only the erasure itself finds (orders, e-mails,
 * events) it hands to the policy then.
 */
export async function keepRecords(
  tx: Tx,
  person: CustomerRow,
  kitIds: readonly string[],
  policy: RetentionPolicy,
): Promise<void> {
  if (!policy.isNeeded) return
  await keepResults(tx, person.id, policy)
  await keepData(tx, person.id, policy)
  await keepKits(tx, kitIds, policy)
  if (policy.isHeld) {
    await policy.retain('other', 'customer', tx.now, { ...person, guardian: await maybeFindGuardian(tx, person.id) })
  }
}

async function keepResults(tx: Tx, customerId: number, policy: RetentionPolicy): Promise<void> {
  const reports = await selectReports(tx, customerId)
  for (const report of reports) {
    const versions = await selectVersions(tx, [report.id])
    const last = versions.at(-1)?.createdAt ?? report.createdAt
    await policy.retain('laboratory', 'report', last, { report, versions })
  }
  for (const result of await selectUnassessed(tx, customerId)) {
    await policy.retain('laboratory', 'unassessedResult', result.receivedAt, { result })
  }
}

/** What was added: laboratory records with their files; quizzes and other files need no keeping. */
async function keepData(tx: Tx, customerId: number, policy: RetentionPolicy): Promise<void> {
  const laboratory = new Set(await selectLaboratoryData(tx, customerId))
  for (const data of await selectData(tx, customerId)) {
    const kind = laboratory.has(data.id) ? 'laboratory' : 'other'
    if (!policy.covers(kind, data.createdAt)) continue
    await policy.retain(kind, 'data', data.createdAt, { data })
    // One file in memory at a time.
    const file = data.documents.length > 0 ? await selectFile(tx, data.id) : undefined
    if (file) await policy.retain(kind, 'file', data.createdAt, file.content)
  }
}

async function keepKits(tx: Tx, kitIds: readonly string[], policy: RetentionPolicy): Promise<void> {
  const kits = await selectKitsIn(tx, kitIds)
  const consents = Map.groupBy(await selectConsents(tx, kitIds), ({ kitId }) => kitId)
  const withdrawals = Map.groupBy(await selectWithdrawals(tx, kitIds), ({ kitId }) => kitId)
  for (const kit of kits) {
    const given = (consents.get(kit.id) ?? []).map(({ wordsHash, ...consent }) => ({
      ...consent,
      sha256: wordsHash?.toString('hex'),
    }))
    await policy.retain('requisition', 'kit', kit.registeredAt ?? kit.createdAt, {
      kit,
      consents: given,
      withdrawals: withdrawals.get(kit.id) ?? [],
    })
  }
}

/**
 * Nothing of a person, or of a whole business, is purged or erased until the hold is lifted. Also for somebody who was
 * erased, while records of them are kept. Audited with the reason.
 * @throws BUSINESS_NOT_FOUND, CUSTOMER_NOT_FOUND, LEGAL_HOLD_EXISTS
 */
export async function setHold(
  tx: SystemTx,
  { business, customer, reason }: { business: string; customer?: string | undefined; reason: string },
): Promise<queries.HoldRow> {
  const { id: businessId } = await businesses.find(tx, business)
  const { live: realm } = await businesses.realmsOf(tx, businessId)
  await queries.lockToHold(tx)
  const customerId = customer === undefined ? null : await numberOf(tx, realm, customer)
  const id = newOpaqueId('hold')
  if (!(await queries.insertHold(tx, { id, realm, customerId, reason }))) {
    throw new AppError('LEGAL_HOLD_EXISTS', 'There is a legal hold already')
  }
  return recorded(tx, id, 'legal_hold.set', reason)
}

/** Lets terms and erasures count again. Audited with the reason. @throws LEGAL_HOLD_NOT_FOUND, LEGAL_HOLD_LIFTED */
export async function liftHold(tx: SystemTx, id: string, reason: string): Promise<queries.HoldRow> {
  if (await queries.updateLifted(tx, id, reason)) return recorded(tx, id, 'legal_hold.lifted', reason)
  if (await queries.selectHold(tx, id)) throw new AppError('LEGAL_HOLD_LIFTED', 'The legal hold was lifted before')
  throw new AppError('LEGAL_HOLD_NOT_FOUND', 'There is no such legal hold')
}

async function numberOf(tx: SystemTx, realm: Realm, customer: string): Promise<number> {
  const found = await customers.maybeFind(within(tx, realm), customer)
  if (found) return found.id
  const number = Number(customer)
  if (Number.isSafeInteger(number) && (await queries.hasRetained(tx, realm.id, number))) return number
  throw new AppError('CUSTOMER_NOT_FOUND', 'There is no such customer, and there are no retained records')
}

async function recorded(tx: SystemTx, id: string, action: audit.AuditAction, reason: string): Promise<queries.HoldRow> {
  const hold = await queries.selectHold(tx, id)
  if (!hold) throw new Error('the hold was just written')
  const { realm, customerId } = hold
  const subject =
    customerId === null
      ? { objectType: 'business', objectId: realm.businessId }
      : { objectType: 'customer', objectId: String(customerId) }
  await audit.recordIn(tx, [{ action, ...subject, details: { hold: id, reason }, realm, actor: tx.actor }])
  return hold
}

interface ShownRecord {
  kind: RetainedKind
  source: string
  recordedDate: string
  /** What was recorded; of a file its bytes in base64. */
  content: unknown
}

/**
 * What is kept of a person who was erased: for an authority that may ask, or the person. The one way to it. Audited with
 * the reason. @throws CUSTOMER_NOT_FOUND if nothing is kept under the number
 */
export async function showRetained(
  tx: SystemTx,
  realm: Realm,
  { customerId, reason }: { customerId: number; reason: string },
): Promise<ShownRecord[]> {
  const records = await queries.selectRetained(within(tx, realm), customerId)
  if (records.length === 0)
    throw new AppError('CUSTOMER_NOT_FOUND', 'There are no retained records of an erased customer with this number')
  const entry = { action: 'customer.kept_read' as const, objectType: 'customer', objectId: String(customerId) }
  await audit.recordIn(tx, [{ ...entry, details: { reason, records: records.length }, realm, actor: tx.actor }])
  return records.map(({ kind, source, recordedAt, content }) => ({
    kind,
    source,
    recordedDate: recordedAt.toISOString(),
    content: source === 'file' ? content.toString('base64') : (JSON.parse(content.toString()) as unknown),
  }))
}
