import { type Database, type SystemTx, within } from '../../../platform/database/tx.ts'
import type { Logger } from '../../../platform/log.ts'
import * as emails from '../../emails/service.ts'
import { endpointDisabled } from '../../emails/templates.ts'
import { isDead } from '../rules.ts'
import { type Attempt, disableEndpoint, updateHealth, writeAttempts } from './claim-queries.ts'

const actor = { name: 'webhooks' }
const GONE = 410

/**
 * Writes the outcomes of attempts, and disables endpoints that are gone or dead. If the database is lost, these attempts
 * are repeated after their lease.
 */
export async function recordAttempts(
  database: Database,
  lease: string,
  attempts: readonly Attempt[],
  log: Logger,
): Promise<void> {
  try {
    await database.asSystem(actor, async (tx) => {
      await writeAttempts(tx, lease, attempts)
      await updateEndpoints(tx, attempts)
    })
  } catch (err) {
    log.warn({ err }, 'webhook attempts could not be written; they will be repeated')
  }
}

async function updateEndpoints(tx: SystemTx, attempts: readonly Attempt[]): Promise<void> {
  const byEndpoint = Map.groupBy(attempts, ({ realmId, endpointId }) => `${realmId}/${endpointId}`)
  const seen = [...byEndpoint.values()].flatMap((ofEndpoint) => {
    const [first] = ofEndpoint
    if (!first) return []
    const failed = ofEndpoint.filter((attempt) => !attempt.delivered).length
    const gone = ofEndpoint.some((attempt) => attempt.status === GONE)
    return [
      { realmId: first.realmId, endpointId: first.endpointId, succeeded: failed < ofEndpoint.length, failed, gone },
    ]
  })
  // In one order, so that two processes cannot deadlock.
  seen.sort((a, b) => a.realmId - b.realmId || (a.endpointId < b.endpointId ? -1 : 1))
  const health = await updateHealth(tx, seen)
  for (const endpoint of seen.filter(({ gone }) => gone)) await disable(tx, endpoint, 'gone')
  for (const endpoint of health) {
    if (isDead(endpoint.failingSince, endpoint.failures, tx.now)) await disable(tx, endpoint, 'failing')
  }
}

async function disable(tx: SystemTx, endpoint: { realmId: number; endpointId: string }, reason: 'gone' | 'failing') {
  const disabled = await disableEndpoint(tx, endpoint, reason)
  if (!disabled) return
  const { url, businessId, mode } = disabled
  const realm = { id: endpoint.realmId, businessId, mode }
  await emails.queue(within(tx, realm), [{ content: endpointDisabled(endpoint.endpointId, url), to: 'business' }])
}
