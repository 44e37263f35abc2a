import type { FastifyRequest } from 'fastify'
import { authorizeOperator } from './access.ts'
import { once, readKey } from './idempotency.ts'
import { operatorKeys } from './operator-keys.ts'
import { type Outcome, recordAccesses, type Serving } from './perform.ts'
import { originOf, shownRequestId } from './request-id.ts'
import type { RouteOf } from './route.ts'
import { validate } from './validate.ts'
import { refusalToWire, toWire } from './wire.ts'

/** In one transaction over all realms. */
export async function performOperator(
  route: RouteOf<'operator'>,
  request: FastifyRequest,
  serving: Serving,
): Promise<Outcome> {
  const access = authorizeOperator(route, request.operator)
  const input = await validate(route, request)
  const actor = { name: access.actor, ...originOf(request) }
  const key = readKey(request)
  const prepared = await route.prepare?.(input, access)
  return serving.database.asSystem(actor, async (tx) => {
    const work = async () => {
      const answer = await route.handler({ ...input, tx, access, prepared })
      await recordAccesses(tx, route, input, answer, serving)
      if (!('document' in answer)) return toWire(answer)
      const { contentType, body } = answer.document
      if (typeof body === 'function') throw new Error(`${route.id}: a document in parts needs a realm`)
      return { ...answer, document: { contentType, body } }
    }
    if (!key) return work()
    return once(operatorKeys(tx, access.callerId), key, work, (err) => refusalToWire(err, shownRequestId(request)))
  })
}
