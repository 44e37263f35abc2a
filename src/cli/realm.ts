import type { Business } from '../modules/businesses/queries.ts'
import * as businesses from '../modules/businesses/service.ts'
import type { Database, Mode, Realm } from '../platform/database/tx.ts'
import { business, mode } from './command.ts'
import { operator } from './session.ts'

/** The options of a command for one business; live by default. */
export const whose = {
  '--business <business>': 'its ID or its name',
  '--mode <mode>': 'live or sandbox (default: live)',
}
export const ofBusiness = { business, mode: mode.default('live') }

/** @throws BUSINESS_NOT_FOUND */
export function findRealm(
  database: Database,
  { business, mode }: { business: string; mode: Mode },
): Promise<{ found: Business; realm: Realm }> {
  return database.asSystem(operator, async (tx) => {
    const found = await businesses.find(tx, business)
    return { found, realm: (await businesses.realmsOf(tx, found.id))[mode] }
  })
}
