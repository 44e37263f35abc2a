import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import type { AppError } from '../../domain/errors.ts'
import { type Actor, type Realm, type SystemTx, type Tx, within } from '../database/tx.ts'
import { realmPorts } from '../ports/realm-ports.ts'
import { authorize } from './access.ts'
import type { Document } from './answer.ts'
import type { Access } from './caller.ts'
import { finish, type IdempotencyKey, once, readKey } from './idempotency.ts'
import { type Outcome, recordAccesses, type Serving } from './perform.ts'
import { realmKeys } from './realm-keys.ts'
import { originOf, shownRequestId } from './request-id.ts'
import type { Input, RouteOf } from './route.ts'
import { validate } from './validate.ts'
import { refusalToWire, toWire, type WireAnswer } from './wire.ts'

/** One request of a route, with all that performing it takes. */
interface Performance {
  route: RouteOf<'business'>
  input: Input<unknown, unknown, unknown>
  access: Access
  request: FastifyRequest
  key: IdempotencyKey | undefined
  realm: Realm
  actor: Actor
}

/** In a transaction of the caller's realm, or in a group commit with others. */
export async function performBusiness(
  route: RouteOf<'business'>,
  request: FastifyRequest,
  serving: Serving,
): Promise<Outcome> {
  const access = authorize(route, request.access)
  const input = await validate(route, request)
  const key = readKey(request)
  const realm = route.realm?.(input, access) ?? access.realm
  const actor = { name: access.actor, ...originOf(request) }
  const alone = () => performAlone({ route, input, access, request, key, realm, actor }, serving)
  const asked = route.groupCommit?.asked(input, access)
  if (!route.groupCommit || asked === undefined) {
    const answer = await alone()
    return 'document' in answer ? inParts(answer, access, actor, serving) : answer
  }
  const aloneInJson = async () => {
    const answer = await alone()
    if ('document' in answer) throw new Error(`${route.id} answers a group with a document`)
    return answer
  }
  const group = serving.groupOf(route.groupCommit.group)
  return group.add({ realm, actor, asked, key, requestId: shownRequestId(request), alone: aloneInJson })
}

function inParts({ document, ...answer }: Document, { realm }: Access, actor: Actor, serving: Serving): Outcome {
  const { contentType, body } = document
  if (typeof body !== 'function') return { ...answer, document: { contentType, body } }
  const ports = realmPorts(serving.database, serving.portsOf, realm, actor)
  return { ...answer, document: { contentType, body: Readable.from(body(ports)) } }
}

async function performAlone(performance: Performance, serving: Serving): Promise<WireAnswer | Document> {
  const { route, input, access, request, key, realm, actor } = performance
  const { database, portsOf } = serving
  const open = <T>(work: (tx: Tx) => Promise<T>) =>
    route.acrossRealms
      ? database.asSystem(actor, (tx) => work(within(tx, realm)))
      : database.inRealm(realm, actor, work)
  const keysOf = (tx: Tx) => realmKeys(tx, { secret: route.secret })
  const refused = (err: AppError) => refusalToWire(err, shownRequestId(request))
  const answer = await open(async (tx) => {
    const work = async () => {
      // Only a route across realms is typed to see more than its realm.
      const context = { ...input, tx: tx as SystemTx & Tx, access }
      const accept = request.headers.accept ?? ''
      const answer = await route.handler({ ...context, accept, idempotencyKey: key?.key })
      if ('after' in answer) return answer
      await recordAccesses(tx, route, input, answer, serving)
      return 'document' in answer ? answer : toWire(answer)
    }
    return key ? once(keysOf(tx), key, work, refused) : work()
  })
  if (!('after' in answer)) return answer
  const ports = realmPorts(database, portsOf, realm, actor)
  const later = async () => toWire(await answer.after(ports, realmPorts(database, portsOf, access.twin, actor)))
  return key ? finish((step) => ports.open((tx) => step(keysOf(tx))), key, later, refused) : later()
}
