import type { SessionScope } from '../../domain/scopes.ts'
import type { Tx } from '../../platform/database/tx.ts'
import { maybeFindBoxOfKit } from '../stock/find.ts'
import * as webhooks from '../webhooks/delivery/log.ts'
import { consentHistory } from './consent/history.ts'
import { selectKitChanges, selectReplacementReason, selectReportId } from './page-queries.ts'
import type { KitPage } from './page-schema.ts'
import { type KitRow, selectKitsByIds } from './queries.ts'
import { selectRecallOf } from './recall-queries.ts'
import { kitNotFound, nameOf, stateOf, toRecord } from './records.ts'
import type { RegisterInput } from './schema.ts'
import { nextOf, timelineOf } from './timeline.ts'

// A kit has a dozen events at most; endpoints are few.
const DELIVERIES = 50

/**
 * A kit with all that happened to it. Deliveries, the person's name and the report are there for callers who may read those.
 * @throws KIT_NOT_FOUND
 */
export async function kitPage(tx: Tx, id: string, scopes: ReadonlySet<SessionScope>): Promise<KitPage> {
  const [kit] = await selectKitsByIds(tx, [id])
  if (!kit) throw kitNotFound()
  const changes = await selectKitChanges(tx, id)
  const reason = kit.replacementFor === null ? undefined : await selectReplacementReason(tx, kit.replacementFor)
  const reportID = !scopes.has('reports:read') ? undefined : await selectReportId(tx, id)
  const log = scopes.has('webhooks:read')
    ? await webhooks.list(tx, { kitIds: [id], page: 0, size: DELIVERIES })
    : undefined
  const next = kit.replacedBy === null ? nextOf(stateOf(kit), tx.now) : undefined
  const showsNames = scopes.has('customers:read')
  const registration = registrationOf(kit, showsNames)
  const box = await maybeFindBoxOfKit(tx, id)
  const consents = await consentHistory(tx, [id], showsNames)
  return {
    kit: toRecord(kit),
    timeline: timelineOf(kit, changes, { mode: tx.realm.mode, placed: { ...(reason && { reason }) } }),
    ...(next && { next }),
    ...(registration && { registration }),
    consents: consents.get(id) ?? [],
    ...(log && { deliveries: log.deliveries.map(toLine) }),
    ...(reportID && { reportID }),
    ...(box && { box }),
    ...((await selectRecallOf(tx, id)) && { isRecalled: true as const }),
    registerUrl: `${tx.context.publicUrl ?? ''}/k/${id}`,
  }
}

function registrationOf(
  { customerId, registeredEmail, registeredAt, registration }: KitRow,
  showsName: boolean,
): KitPage['registration'] {
  if (customerId === null || registeredAt === null) return undefined
  const { guardian } = (registration ?? {}) as Partial<RegisterInput>
  const name = nameOf(registration)
  return {
    customerID: customerId,
    ...(showsName && name && { name }),
    ...(registeredEmail !== null && { email: registeredEmail }),
    registeredDate: registeredAt.toISOString(),
    ...(guardian && {
      guardian: {
        ...(showsName && { name: nameOf(guardian) }),
        relation: guardian.relation,
      },
    }),
  }
}

type Delivery = Awaited<ReturnType<typeof webhooks.list>>['deliveries'][number]

function toLine({ id, endpointID, eventID, eventType, status, attempts }: Delivery) {
  const last = attempts.at(-1)
  return { id, endpointID, eventID, type: eventType, status, ...(last && { lastAttemptDate: last.date }) }
}
