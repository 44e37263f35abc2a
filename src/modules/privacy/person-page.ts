import type { OperatorScope } from '../../domain/scopes.ts'
import { type SystemTx, type Tx, within } from '../../platform/database/tx.ts'
import * as businesses from '../businesses/service.ts'
import { internalKitType } from '../catalogue/kit-type.ts'
import { selectPanelNames } from '../catalogue/queries.ts'
import * as customers from '../customers/service.ts'
import { toBrief } from '../emails/brief.ts'
import { selectBriefEmails } from '../emails/list-queries.ts'
import { consentHistory } from '../kits/consent/history.ts'
import { listKits } from '../kits/records.ts'
import type { OperatorPerson } from './schema.ts'

const KITS = 250

/** The live realm of a business that a route of the operator names. @throws BUSINESS_NOT_FOUND */
export async function liveRealmOf(
  system: SystemTx,
  businessId: string,
): Promise<{ tx: Tx; business: { id: string; name: string } }> {
  const { id, name } = await businesses.find(system, businessId)
  return { tx: within(system, (await businesses.realmsOf(system, id)).live), business: { id, name } }
}

/** A person of any business, as far as the scopes reach: never results. @throws BUSINESS_NOT_FOUND, CUSTOMER_NOT_FOUND */
export async function personPage(
  system: SystemTx,
  { businessID, id }: { businessID: string; id: string },
  scopes: ReadonlySet<OperatorScope>,
): Promise<OperatorPerson> {
  const { tx, business } = await liveRealmOf(system, businessID)
  const { createdAt } = await customers.find(tx, id)
  const { email, guardian, customTags: _, reports, ...person } = await customers.get(tx, id)
  const { kits } = await listKits(tx, { registeredTo: [person.id], page: 0, size: KITS })
  const consents = await consentHistory(
    tx,
    kits.map(({ kitID }) => kitID),
    scopes.has('lab'),
  )
  const addresses = [email, guardian?.email ?? '']
  const kitTypes = [...new Set(kits.map(({ kitType }) => kitType))]
  const names = await selectPanelNames(tx, kitTypes.map(internalKitType))
  return {
    business,
    ...person,
    createdDate: createdAt.toISOString(),
    ...(scopes.has('lab') && { email, guardian }),
    kits: kits.map((kit) => (scopes.has('lab') ? kit : withoutAddresses(kit))),
    panels: kitTypes.map((kitType) => ({ kitType, name: names.get(internalKitType(kitType)) ?? kitType })),
    reports: reports.map(({ id, kitID, collectedDate, status }) => ({
      id,
      status,
      ...(kitID && { kitID }),
      ...(collectedDate && { collectedDate }),
    })),
    consents: [...consents].flatMap(([kitID, entries]) =>
      entries.map(({ type, at, research, name, outcome }) => ({
        kitID,
        type,
        at,
        research,
        name,
        outcome,
      })),
    ),
    ...(scopes.has('mail') && { emails: (await selectBriefEmails(tx, { addresses })).map(toBrief) }),
  }
}

/** A reviewer knows whose values they read, and not how to reach them. */
const withoutAddresses = (kit: OperatorPerson['kits'][number]) => {
  const { recipientEmail: _, ...rest } = kit
  return { ...rest, registeredToEmail: '' }
}
