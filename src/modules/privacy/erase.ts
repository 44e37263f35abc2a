import type { Tx } from '../../platform/database/tx.ts'
import { deleteKeptAnswers } from '../../platform/http/answer-erasure.ts'
import * as audit from '../audit/service.ts'
import * as customers from '../customers/service.ts'
import { deleteEmailsTo } from '../emails/erasure-queries.ts'
import { updateEventData } from '../events/erasure-queries.ts'
import { type BlankedKit, blankConsents, blankKits, lockKitsOfPerson } from '../kits/erasure-queries.ts'
import { deleteDataOfCustomer, emptyMessagesAbout } from '../lab/erasure-queries.ts'
import { deleteLinksAndFailures } from '../links/erasure-queries.ts'
import { blankExternalId, blankOrders } from '../orders/erasure-queries.ts'
import { deleteTerms } from '../orders/search-queries.ts'
import { deleteDraftsOfKits } from '../portal/erasure-queries.ts'
import { deleteReportsOfCustomer, deleteUnassessedResultsOfCustomer } from '../reports/erasure-queries.ts'
import { selectEventsOfPerson } from './queries.ts'
import { type Identity, type IdentityRecord, identityOf, scrub } from './rules.ts'

export interface Erasure {
  customerID: number
  erased: { kits: number; reports: number; consents: number }
}

/**
 * Erases a person, by the erasure queries of each room: their record is emptied, their reports deleted, and their kits, consents, orders and events kept
 * without identity; e-mails to them are gone. The same e-mail is a new person afterwards. @throws CUSTOMER_NOT_FOUND, also the second time
 */
export async function erase(tx: Tx, idOrExternalId: string): Promise<Erasure> {
  const found = await customers.find(tx, idOrExternalId)
  await lockKitsOfPerson(tx, found)
  const person = await customers.find(tx, found.id, 'update')
  // Nothing can be registered to the person any more, so that this list is whole.
  const kits = await lockKitsOfPerson(tx, person)
  const kitIds = kits.map(({ id }) => id)
  const kitOrderIds = kits.map(({ orderId }) => orderId)

  await deleteUnassessedResultsOfCustomer(tx, person.id)
  const reports = await deleteReportsOfCustomer(tx, person.id)
  await deleteDataOfCustomer(tx, person.id)
  await deleteLinksAndFailures(tx, person.id)
  await deleteDraftsOfKits(tx, kitIds)
  const messages = await emptyMessagesAbout(tx, person, kitIds)
  const registrations = await blankKits(tx, kitIds)
  const consents = await blankConsents(tx, kitIds, person.email)
  const orders = await blankOrders(tx, person, kitOrderIds)
  await deleteTerms(tx, orders)
  const records = [person, ...registrations.map(fromRegistration), ...consents, ...orders]
  const identity = identityOf(records)
  await deleteEmailsTo(
    tx,
    records.flatMap(({ email }) => (email ? [email.toLowerCase()] : [])),
  )

  const orderIds = [...new Set([...kitOrderIds, ...orders.map(({ id }) => id)])]
  if (person.externalId !== null) await blankExternalId(tx, orderIds, person.externalId)
  await scrubEvents(tx, person.id, { kitIds, orderIds, identity })
  await deleteKeptAnswers(tx, [String(person.id), ...identity.within.map(insideJson)])
  await customers.blank(tx, person.id)
  const erased = { kits: kits.length, reports, consents: consents.length }
  await audit.record(tx, [
    {
      action: 'customer.erased',
      objectType: 'customer',
      objectId: String(person.id),
      details: {
        ...erased,
        orders: orders.length,
        ...(messages.emptied > 0 && { labMessages: messages.emptied }),
        ...(messages.remaining > 0 && { labMessagesLeft: messages.remaining }),
      },
    },
  ])
  return { customerID: person.id, erased }
}

interface Traces {
  kitIds: string[]
  orderIds: string[]
  identity: Identity
}

async function scrubEvents(tx: Tx, customerId: number, { kitIds, orderIds, identity }: Traces): Promise<void> {
  const events = await selectEventsOfPerson(tx, customerId, kitIds, orderIds)
  const changed = events.flatMap(({ id, data }) => {
    const scrubbed = scrub(data, identity)
    return JSON.stringify(scrubbed) === JSON.stringify(data) ? [] : [{ id, data: scrubbed }]
  })
  await updateEventData(tx, changed)
}

// A registration is what the person typed, kept as it came.
function fromRegistration({ email, registration }: BlankedKit): IdentityRecord {
  const given = (registration ?? {}) as Record<string, unknown>
  const textOf = (key: string) => (typeof given[key] === 'string' ? given[key] : null)
  return {
    email: email ?? textOf('email'),
    firstName: textOf('firstName'),
    lastName: textOf('lastName'),
    phone: textOf('phone'),
    address: [given.address, given.addressLine1, given.addressLine2, given.city, given.zip],
  }
}

const insideJson = (text: string) => JSON.stringify(text).slice(1, -1)
