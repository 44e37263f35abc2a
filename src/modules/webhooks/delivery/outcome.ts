import { type Database, type SystemTx, within } from '../../../platform/database/tx.ts'
import type { Logger } from '../../../platform/log.ts'
import * as emails from '../../emails/service.ts'
import { endpointDisabled } from '../../emails/templates.ts'
import { isDead } from '../rules.ts'
import { type Attempted, disable, noteHealth, settle } from './claim-queries.ts'

const actor = { name: 'webhooks' }
const GONE = 410

/**
 * Writes what came of attempts, and switches endpoints off that are gone or dead. A loss of the database only means that
 * these attempts are made again once their lease has run out.
 */
export async function record(
  database: Database,
  lease: string,
  attempted: readonly Attempted[],
  log: Logger,
): Promise<void> {
  try {
    await database.asSystem(actor, async (tx) => {
      await settle(tx, lease, attempted)
      await judge(tx, attempted)
    })
  } catch (err) {
    log.warn({ err }, 'webhook attempts could not be written; they will be repeated')
  }
}

async function judge(tx: SystemTx, attempted: readonly Attempted[]): Promise<void> {
  const byEndpoint = Map.groupBy(attempted, ({ realmId, endpointId }) => `${realmId}/${endpointId}`)
  const seen = [...byEndpoint.values()].flatMap((attempts) => {
    const [first] = attempts
    if (!first) return []
    const failed = attempts.filter((attempt) => !attempt.delivered).length
    const gone = attempts.some((attempt) => attempt.status === GONE)
    return [{ realmId: first.realmId, endpointId: first.endpointId, succeeded: failed < attempts.length, failed, gone }]
  })
  // In one order, so that two processes cannot deadlock.
  seen.sort((a, b) => a.realmId - b.realmId || (a.endpointId < b.endpointId ? -1 : 1))
  const health = await noteHealth(tx, seen)
  for (const endpoint of seen.filter(({ gone }) => gone)) await switchOff(tx, endpoint, 'gone')
  for (const endpoint of health) {
    if (isDead(endpoint.failingSince, endpoint.failures, tx.now)) await switchOff(tx, endpoint, 'failing')
  }
}

async function switchOff(tx: SystemTx, endpoint: { realmId: number; endpointId: string }, reason: 'gone' | 'failing') {
  const disabled = await disable(tx, endpoint, reason)
  if (!disabled) return
  const { url, businessId, mode } = disabled
  const realm = { id: endpoint.realmId, businessId, mode }
  await emails.queue(within(tx, realm), [{ content: endpointDisabled(endpoint.endpointId, url), to: 'business' }])
}
