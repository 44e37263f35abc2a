import { type SystemTx, within } from '../../platform/database/tx.ts'
import { type Settings, ShownSettings } from '../businesses/schema.ts'
import * as businesses from '../businesses/service.ts'
import { publicKitType } from '../catalogue/kit-type.ts'
import { listMembers } from '../identity/members.ts'
import { BusinessUser } from '../identity/schema.ts'
import { selectCredits, selectFacts, selectPanelsFor } from './queries.ts'
import type { BusinessDetail } from './schema.ts'

/** Everything that the operator sees of a business. @throws BUSINESS_NOT_FOUND */
export async function describeBusiness(tx: SystemTx, idOrName: string): Promise<BusinessDetail> {
  const { id, name } = await businesses.find(tx, idOrName)
  const { live, sandbox } = await businesses.realmsOf(tx, id)
  const { createdAt, rateLimitPerMinute } = await selectFacts(tx, id)
  const panels = await selectPanelsFor(tx, id)
  const credits = await selectCredits(tx, id)
  return {
    id,
    name,
    rateLimitPerMinute,
    createdDate: createdAt.toISOString(),
    panels: panels.map(({ kitType, name, priceMinor, currency }) => ({
      kitType: publicKitType(kitType),
      name,
      provisioned: priceMinor !== null,
      ...(priceMinor !== null && currency !== null && { price: { amount: priceMinor, currency } }),
    })),
    credits: credits.map(({ mode, kitType, available }) => ({ mode, type: publicKitType(kitType), available })),
    settings: {
      live: shown(name, await businesses.settings(within(tx, live))),
      sandbox: shown(name, await businesses.settings(within(tx, sandbox))),
    },
    users: (await listMembers(tx, id)).map((member) => BusinessUser.parse(member)),
  }
}

function shown(name: string, settings: Settings): ShownSettings {
  const given = Object.entries(settings).filter(([, value]) => value !== null)
  return ShownSettings.parse({ name, ...Object.fromEntries(given) })
}
