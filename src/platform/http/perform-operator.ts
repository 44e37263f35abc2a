import type { FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import type { Actor, Database, ReadFrom, SystemTx } from '../database/tx.ts'
import { answerLanguage } from './accept.ts'
import { lacks, requireProofFor } from './access.ts'
import { authorizeOperatorGrants } from './access-grants.ts'
import type { OperatorAccess } from './caller.ts'
import { keyOf, once } from './idempotency.ts'
import { operatorKeys } from './operator-keys.ts'
import { loaded, type Outcome, type Recorded, recordAccesses, type Serving } from './perform.ts'
import { originOf } from './request-id.ts'
import type { RouteOf } from './route.ts'
import { validate, validatedOnce } from './validate.ts'
import { refusedTo, toWire } from './wire.ts'

/** In one transaction over all realms. */
export async function performOperator(
  route: RouteOf<'operator'>,
  request: FastifyRequest,
  serving: Serving,
): Promise<Outcome> {
  const access = authorizeOperator(route, request.operator)
  const actor = { name: access.actor, ...originOf(request) }
  const key = keyOf(route, request)
  const validated = await validatedOnce(
    () => validate(route, request),
    key && {
      key,
      refused: refusedTo(request),
      inStore: (step) => serving.database.asSystem(actor, (tx) => step(operatorKeys(tx, access.callerId))),
    },
  )
  if ('answer' in validated) return validated.answer
  const { input } = validated
  authorizeOperatorGrants(route, access, input)
  requireProofFor(route, access, request, input)
  const prepared = await route.prepare?.(input, access)
  let unrecorded: Recorded | undefined
  const answer = await openFor(route, serving.database, actor, async (tx, where) => {
    unrecorded = undefined
    const work = async () => {
      const accept = request.headers.accept ?? ''
      const answer = await route.handler({ ...input, tx, access, accept, prepared })
      if (where === 'replica') unrecorded = answer
      else await recordAccesses(tx, route, input, answer, serving)
      if (!('document' in answer)) return toWire(answer, answerLanguage(request))
      if ('load' in answer.document) return { ...answer, document: answer.document }
      const { contentType, body } = answer.document
      if (typeof body === 'function') throw new Error(`${route.id}: a document in parts needs a realm`)
      return { ...answer, document: { contentType, body } }
    }
    if (!key) return work()
    return once(operatorKeys(tx, access.callerId), key, work, refusedTo(request))
  })
  const read = unrecorded as Recorded | undefined
  if (read && route.accesses)
    await serving.database.asSystem(actor, (tx) => recordAccesses(tx, route, input, read, serving))
  if (!('document' in answer)) return answer
  const { document } = answer
  return 'load' in document ? loaded({ ...answer, document }, actor, serving) : { ...answer, document }
}

/** @throws FORBIDDEN */
function authorizeOperator(route: RouteOf<'operator'>, access: OperatorAccess | undefined): OperatorAccess {
  if (!access) throw new AppError('INTERNAL', 'Internal server error')
  const wanted = [route.scope ?? []].flat()
  if (wanted.length > 0 && !wanted.some((scope) => access.scopes.has(scope))) {
    throw lacks(access.callerId, wanted.join(' or '))
  }
  return access
}

const openFor = <T>(
  { id, method }: RouteOf<'operator'>,
  database: Database,
  actor: Actor,
  work: (tx: SystemTx, where: ReadFrom) => Promise<T>,
): Promise<T> =>
  method === 'GET' ? database.readAsSystem(id, actor, work) : database.asSystem(actor, (tx) => work(tx, 'primary'))
