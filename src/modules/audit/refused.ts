import type { Database } from '../../platform/database/tx.ts'
import type { RecordRefusals } from '../../platform/http/refusals.ts'
import { recordIn, recordSystem } from './service.ts'

/** Writes refused attempts: of a business's credential in its realm, where the business sees them; others in none. */
export const refusalRecorder =
  (database: Database): RecordRefusals =>
  (refusals) =>
    database.asSystem({ name: 'system' }, async (tx) => {
      for (const { realm, actor: name, requestId, callerRequestId, ip, code, route, more } of refusals) {
        const actor = { name, requestId, ip, ...(callerRequestId && { callerRequestId }) }
        const details = { code, ...(more > 0 && { more }) }
        const entry = { action: 'access.refused' as const, objectType: 'route', objectId: route, details }
        if (realm) await recordIn(tx, [{ ...entry, realm, actor }])
        else await recordSystem({ ...tx, actor }, [entry])
      }
    })
