import { newOpaqueId } from '../../domain/ids.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { deleteOperatorAnswers, deleteStoredAnswers } from '../../platform/http/answer-erasure.ts'
import * as audit from '../audit/service.ts'
import * as customers from '../customers/service.ts'
import { type IdentityRecord, modulesOf, type PersonToErase } from '../define-module.ts'
import { deleteEmails } from '../emails/queries.ts'
import { emptyCarrierMessages, messagesOf } from '../fulfilment/erasure-queries.ts'
import { blankConsents, blankKits, blankReasons, lockKitsOfPerson } from '../kits/erasure-queries.ts'
import type { RegisteredPerson } from '../kits/sealed-queries.ts'
import { acrossRealms, deleteDataOfCustomer } from '../lab/erasure-queries.ts'
import { emptyMessagesAbout } from '../lab/messages/erase.ts'
import { blankExternalId, blankOrders } from '../orders/erasure-queries.ts'
import { deleteTerms } from '../orders/search-queries.ts'
import {
  deleteCriticalResultsOfCustomer,
  deletePassedRemarksOfCustomer,
  deleteReportsOfCustomer,
  deleteUnassessedResultsOfCustomer,
} from '../reports/erasure-queries.ts'
import { selectOrders } from './export-queries.ts'
import { keepRecords } from './retention/keep-records.ts'
import { insertRetained, isCustomerHeld, lockOutHolds } from './retention/queries.ts'
import { DAY_MS, daysOf, dueBefore, retainedKinds } from './retention/rules.ts'
import type { RetainedRecords, RetentionPolicy } from './retention/terms.ts'
import { termsIn } from './retention/terms.ts'
import { identityOf, tells } from './rules.ts'
import type { CustomerErased } from './schema.ts'
import { fromRegistration, scrubEvents } from './scrub-events.ts'

export interface Erasure {
  customerID: number
  erased: { kits: number; reports: number; consents: number }
  retained: RetainedRecords
}

/** Decides what stays of a person who is erased. The caller has locked out holds. */
async function retentionPolicyOf(
  tx: Tx,
  person: { id: number; name: string; dateOfBirth: string | null; gender: string | null },
): Promise<RetentionPolicy> {
  const isHeld = await isCustomerHeld(tx, tx.realm.id, person.id)
  const terms = await termsIn(tx, tx.realm.businessId)
  // People of a sandbox are made up.
  const isNeeded = tx.realm.mode === 'live' && (isHeld || terms.laboratoryDays > 0 || terms.requisitionDays > 0)
  // Whose records they are stays with each of them, so that each ends by its own term.
  const about = { customerID: person.id, name: person.name, dateOfBirth: person.dateOfBirth, gender: person.gender }
  const records: RetainedRecords['records'] = {}
  let until = 0
  const covers: RetentionPolicy['covers'] = (kind, recordedAt) =>
    isNeeded && (isHeld || recordedAt > dueBefore(tx.now, daysOf(kind, terms)))
  return {
    isHeld,
    isNeeded,
    covers,
    async retain(kind, source, recordedAt, record) {
      if (!covers(kind, recordedAt)) return
      const content = Buffer.isBuffer(record) ? record : Buffer.from(JSON.stringify({ about, ...record }))
      const row = { id: newOpaqueId('kept'), customerId: person.id, kind, source, recordedAt }
      await insertRetained(tx, row, content)
      records[kind] = (records[kind] ?? 0) + 1
      until = Math.max(until, recordedAt.getTime() + daysOf(kind, terms) * DAY_MS)
    },
    retained: () => ({ records, isHeld, until: isHeld || until === 0 ? undefined : new Date(until) }),
  }
}

/** How many records are kept in all. */
const countRetained = ({ records }: RetainedRecords): number =>
  retainedKinds.reduce((sum, kind) => sum + (records[kind] ?? 0), 0)

const isOfGuardian = ({ registration }: RegisteredPerson): boolean =>
  (registration as { guardian?: unknown } | null)?.guardian !== undefined

/**
 * Erases a person, by what each module does for it: their record is emptied, their reports deleted, and their kits,
 * consents, orders and events kept without identity; e-mails to them are gone. What the terms ask for, or a legal hold,
 * moves to `kept_records` before, sealed, where nothing that serves a business can read it. The same e-mail is a new person
 * afterwards. @throws CUSTOMER_NOT_FOUND, also the second time
 */
export async function erase(tx: Tx, idOrExternalId: string | number): Promise<Erasure> {
  const { person, kits } = await lockToErase(tx, idOrExternalId)
  const kitIds = kits.map(({ id }) => id)
  const kitOrderIds = kits.map(({ orderId }) => orderId)
  const policy = await retentionPolicyOf(tx, person)
  await keepRecords(tx, person, kitIds, policy)

  await deleteUnassessedResultsOfCustomer(tx, person.id)
  await deletePassedRemarksOfCustomer(tx, person.id)
  await deleteCriticalResultsOfCustomer(tx, person.id)
  const reports = await deleteReportsOfCustomer(tx, person.id)
  await deleteDataOfCustomer(tx, person.id)
  const messages = await emptyMessagesAbout(tx, person, kitIds)
  for (const { receivedAt, ...message } of messages.emptied) {
    await policy.retain('laboratory', 'laboratoryMessage', receivedAt, message)
  }
  const registrations = await blankKits(tx, kitIds)
  const consents = await blankConsents(tx, kitIds, person.email)
  for (const consent of consents.filter(({ kitId }) => !kitIds.includes(kitId))) {
    await policy.retain('requisition', 'consent', consent.at, { consent })
  }
  // Before the orders: one that a plan or a shop is placing is among them, and no other follows.
  const elsewhere = await eraseElsewhere(tx, { ...person, kitIds, kitOrderIds }, policy)
  const orders = await blankOrdersOf(tx, person, kitOrderIds, policy)
  const sentIds = orders.map(({ id }) => id)
  const orderIds = [...new Set([...kitOrderIds, ...sentIds])]
  const carrierMessages = await acrossRealms(tx, () => emptyCarrierMessages(tx, sentIds, kitIds))
  const records = [person, ...registrations.map(fromRegistration), ...consents, ...orders, ...elsewhere.records]
  const identity = identityOf(records, messagesOf(carrierMessages))
  // A guardian's other e-mails are about themselves, or another child.
  const guardians = new Set(
    registrations.flatMap((one) => (isOfGuardian(one) ? (one.registeredEmail?.toLowerCase() ?? []) : [])),
  )
  const addresses = records.flatMap(({ email }) => email?.toLowerCase() ?? []).filter((one) => !guardians.has(one))
  const about = guardians.size > 0 ? kitIds : []
  for (const email of await deleteEmails(
    tx,
    { to: [...addresses, ...elsewhere.addresses], aboutKits: about },
    policy.isHeld,
  )) {
    await policy.retain('other', 'email', email.createdAt, { email })
  }

  if (person.externalId !== null) await blankExternalId(tx, orderIds, person.externalId)
  const passed = await scrubEvents(tx, { customerId: person.id, kitIds, orderIds }, identity, orders)
  await blankReasons(tx, { kitIds, orderIds }, (reason) => tells(reason, identity))
  if (policy.isHeld && passed.events.length + passed.answers.length + carrierMessages.length > 0) {
    await policy.retain('other', 'events', tx.now, { ...passed, carrierMessages: carrierMessages })
  }
  const texts = [String(person.id), ...identity.within.map(insideJson)]
  await deleteStoredAnswers(tx, texts)
  const numbers = [...kitIds, ...sentIds].map((id) => id.toLowerCase())
  await acrossRealms(tx, () => deleteOperatorAnswers(tx, [...texts, ...numbers]))
  await customers.blank(tx, person)
  const erased = { kits: kits.length, reports, consents: consents.length }
  const retained = policy.retained()
  await audit.record(tx, [
    {
      action: 'customer.erased',
      objectType: 'customer',
      objectId: String(person.id),
      details: {
        ...erased,
        orders: orders.length,
        ...elsewhere.counts,
        ...(messages.emptied.length > 0 && { labMessages: messages.emptied.length }),
        ...(messages.remaining > 0 && { labMessagesLeft: messages.remaining }),
        ...(countRetained(retained) > 0 && { kept: retained.records }),
        ...(retained.isHeld && { legalHold: true }),
      },
    },
  ])
  return { customerID: person.id, erased, retained }
}

const RESTRICTED =
  'The customer is restricted: nobody reads them any more. A legal hold keeps their records, which are deleted when it is lifted'

/** An erasure as it is answered. */
export const toErased = ({ customerID, erased, retained }: Erasure): CustomerErased => ({
  message: retained.isHeld ? RESTRICTED : 'The customer was erased',
  customerID,
  erased,
  kept: retained.records,
  legalHold: retained.isHeld,
  ...(retained.until && { keptUntil: retained.until.toISOString() }),
})

/** Locks a person in the order in which everybody does. @throws CUSTOMER_NOT_FOUND */
export async function lockToErase(tx: Tx, idOrExternalId: string | number) {
  const found = await customers.find(tx, idOrExternalId)
  await lockOutHolds(tx)
  await lockKitsOfPerson(tx, found)
  const person = await customers.find(tx, found.id, 'update')
  // Nothing can be registered to the person any more, so that this list is whole.
  return { person, kits: await lockKitsOfPerson(tx, person) }
}

/** What modules that this one does not know hold of the person. */
async function eraseElsewhere(tx: Tx, person: PersonToErase, policy: RetentionPolicy) {
  const found = { records: [] as IdentityRecord[], addresses: [] as string[], counts: {} as Record<string, number> }
  for (const module of modulesOf(tx.context).toReversed()) {
    const {
      counts = {},
      records = [],
      addresses = [],
      underHold = [],
    } = (await module.person?.erase?.(tx, person)) ?? {}
    for (const { source, recordedAt, record } of underHold) await policy.retain('other', source, recordedAt, record)
    found.records.push(...records)
    found.addresses.push(...addresses)
    Object.assign(found.counts, Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)))
  }
  return found
}

/** Orders that were sent to the person lose their recipient; their content is retained as a requisition. */
async function blankOrdersOf(
  tx: Tx,
  person: customers.CustomerRow,
  kitOrderIds: readonly string[],
  policy: RetentionPolicy,
) {
  const before = policy.isNeeded ? await selectOrders(tx, [...kitOrderIds], person.email) : []
  const orders = await blankOrders(tx, person, kitOrderIds)
  await deleteTerms(tx, orders)
  const theirs = new Set(orders.map(({ id }) => id))
  for (const order of before.filter(({ id }) => theirs.has(id))) {
    await policy.retain('requisition', 'order', order.createdAt, { order })
  }
  return orders
}

const insideJson = (text: string) => JSON.stringify(text).slice(1, -1)
