import type { Tx } from '../../platform/database/tx.ts'
import { maybeFind as maybeFindCollection } from '../collection/service.ts'
import { momentOf } from '../collection/time.ts'
import * as customers from '../customers/service.ts'
import { selectOfKits as selectHolds } from '../holds/queries.ts'
import type { WithCorrectedName } from '../kits/correct.ts'
import { homeFrom } from '../kits/for-whom.ts'
import type { KitRow } from '../kits/queries.ts'
import { selectApprovalsOfKits } from '../orders/queries.ts'
import { answersOf, type OrderContent, placerNumberOf, type Registered } from './content.ts'
import type { LabOrderRow } from './queries.ts'

/** What an order of a kit says now. One whose registration was taken off says what can still be said. */
export async function contentOf(tx: Tx, kit: KitRow, row: LabOrderRow, test: OrderContent['test']) {
  const [hold] = await selectHolds(tx, [kit.id])
  const person = await personOf(tx, kit)
  const receivedAt = kit.progress.sampleReceived
  const said = await maybeFindCollection(tx, kit)
  const collected = said ? momentOf(said) : (hold?.collectedOn ?? null)
  const known = { collected, answers: said?.answers ?? {}, postedAt: kit.postedAt, receivedAt }
  const approval = (await selectApprovalsOfKits(tx, [kit.id])).get(kit.id)
  const { answers, missing } = answersOf(test, person, known, tx.now.toISOString().slice(0, 10))
  const content: OrderContent = {
    placerNumber: placerNumberOf(row),
    fillerNumber: row.fillerNumber,
    kitId: kit.id,
    person,
    test,
    collected,
    received: receivedAt ?? null,
    ordered: row.createdAt.toISOString(),
    answers,
    ...(approval && { approval }),
  }
  return { content, missing }
}

/** Who is registered, with what was corrected of them since, and what was known of them before where they did not say it. */
export async function personOf(
  tx: Tx,
  { customerId, registration }: Pick<KitRow, 'customerId' | 'registration'>,
): Promise<Registered> {
  if (registration === null) return { firstName: '', lastName: '', dateOfBirth: '' }
  const registered = registration as Registered & WithCorrectedName
  const customer = customerId === null ? undefined : await customers.maybeFind(tx, customerId)
  const { firstName = '', lastName = '', dateOfBirth = '', correctedName, sex } = registered
  const phone = registered.phone ?? customer?.phone
  const place = homeFrom(registered, customer?.address)
  return {
    ...(correctedName ? partsOf(correctedName) : { firstName, lastName }),
    dateOfBirth,
    ...(sex && { sex }),
    ...(phone && { phone }),
    addressLine1: place.addressLine1,
    addressLine2: place.addressLine2,
    city: place.city,
    state: place.state,
    zip: place.zip,
    country: place.country,
  }
}

/** Where a person lives who chooses a laboratory by it: as they say, or else where the kit was sent. */
export function placeOf(person: Registered, { sentTo }: KitRow): Pick<Registered, 'country' | 'state'> {
  const { country = sentTo?.country, state } = person
  const isSaid = person.addressLine1 || person.city || person.zip || state
  return { country, state: !isSaid && country === sentTo?.country ? sentTo?.state : state }
}

/** HL7 wants a family name: the last word, as in most lists of people. */
function partsOf(name: string): Pick<Registered, 'firstName' | 'lastName'> {
  const words = name.trim().split(/\s+/)
  return { firstName: words.slice(0, -1).join(' '), lastName: words.at(-1) ?? '' }
}
