import type { Tx } from '../../../platform/database/tx.ts'
import * as audit from '../../audit/service.ts'
import { nameOf, settings } from '../../businesses/service.ts'
import { replaceContacts, selectContacts } from './on-call-queries.ts'
import type { OnCallContact } from './schema.ts'

/** How long the contact has who is notified because there is no list, and the operator's. */
export const USUAL_MINUTES = 60

/** Who is notified in this realm, in order: the list, else the business's own address. */
export async function contactsOf(tx: Tx): Promise<OnCallContact[]> {
  const contacts = await selectContacts(tx)
  if (contacts.length > 0) return contacts
  const { contactEmail } = await settings(tx)
  return contactEmail === null ? [] : [{ email: contactEmail, name: await nameOf(tx), minutes: USUAL_MINUTES }]
}

export async function onCallList(tx: Tx): Promise<{ contacts: OnCallContact[] }> {
  return { contacts: await selectContacts(tx) }
}

/** Replaces the on-call list. The audit keeps how many there are, and how long each has. */
export async function changeOnCallList(tx: Tx, contacts: readonly OnCallContact[]): Promise<void> {
  await replaceContacts(tx, contacts)
  const details = { contacts: contacts.length, minutes: contacts.map(({ minutes }) => minutes) }
  const entry = { action: 'on_call.changed' as const, objectType: 'business', objectId: tx.realm.businessId, details }
  await audit.record(tx, [entry])
}
