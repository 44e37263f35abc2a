import { Readable } from 'node:stream'
import type { FastifyRequest } from 'fastify'
import { AppError, type ErrorDetail } from '../../domain/errors.ts'
import { type Actor, type Database, type ReadFrom, type Realm, type SystemTx, type Tx, within } from '../database/tx.ts'
import { type RealmPorts, realmPorts } from '../ports/realm-ports.ts'
import { answerLanguage, languagesOf } from './accept.ts'
import { lacks, requireProofFor } from './access.ts'
import { authorizeGrants } from './access-grants.ts'
import type { Document } from './answer.ts'
import type { Access } from './caller.ts'
import { finish, type IdempotencyKey, keyOf, once } from './idempotency.ts'
import { isRecord } from './lenient.ts'
import { loaded, type Outcome, type Recorded, recordAccesses, type Serving } from './perform.ts'
import { realmKeys } from './realm-keys.ts'
import { originOf, shownRequestId } from './request-id.ts'
import type { Input, RouteOf } from './route.ts'
import { validate, validatedOnce } from './validate.ts'
import { refusedTo, toWire, type WireAnswer } from './wire.ts'

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
  const actor = { name: access.actor, ...originOf(request) }
  const key = keyOf(route, request)
  const validated = await validatedOnce(
    () => validate(route, request, () => findMore(route, access, request, serving)),
    key && {
      key,
      refused: refusedTo(request),
      inStore: (step) => serving.database.inRealm(access.realm, actor, (tx) => step(realmKeys(tx))),
    },
  )
  if ('answer' in validated) return validated.answer
  const { input } = validated
  authorizeGrants(route, access, input)
  requireProofFor(route, access, request, input)
  const realm = route.realm?.(input, access) ?? access.realm
  const alone = () => performAlone({ route, input, access, request, key, realm, actor }, serving)
  const grouped = route.groupCommit?.inputOf(input, access)
  if (!route.groupCommit || grouped === undefined) {
    const answer = await alone()
    return 'document' in answer ? inParts(answer, { access, actor, request }, serving) : answer
  }
  const aloneInJson = async () => {
    const answer = await alone()
    if ('document' in answer) throw new Error(`${route.id} answers a group with a document`)
    return answer
  }
  const group = serving.groupOf(route.groupCommit.group)
  const shown = { requestId: shownRequestId(request), language: answerLanguage(request) }
  return group.add({ realm, actor, input: grouped, key, ...shown, alone: aloneInJson })
}

/** @throws SANDBOX_TOKEN_REQUIRED, FORBIDDEN */
function authorize(route: RouteOf<'business'>, access: Access | undefined): Access {
  if (!access) throw new AppError('INTERNAL', 'Internal server error')
  if (route.mode === 'sandbox' && access.realm.mode !== 'sandbox') {
    throw new AppError('SANDBOX_TOKEN_REQUIRED', 'This endpoint needs a sandbox token')
  }
  if (route.scope && !access.scopes.has(route.scope)) throw lacks(access.callerId, route.scope)
  return access
}

async function findMore(
  { id, moreProblems, realm }: RouteOf<'business'>,
  access: Access,
  request: FastifyRequest,
  { database }: Serving,
): Promise<ErrorDetail[]> {
  const { params, query, body } = request
  if (!moreProblems || !isRecord(body)) return []
  const where = realm?.({ params, query, body }, access) ?? access.realm
  const actor = { name: access.actor, ...originOf(request) }
  return database.readInRealm(id, where, actor, (tx) => moreProblems(tx, body))
}

function inParts(
  answer: Document,
  { access: { realm }, actor, request }: Pick<Performance, 'access' | 'actor' | 'request'>,
  serving: Serving,
): Outcome | Promise<Outcome> {
  if ('load' in answer.document) return loaded({ ...answer, document: answer.document }, actor, serving)
  const { contentType, body } = answer.document
  if (typeof body !== 'function') return { ...answer, document: { contentType, body } }
  const ports = readingPorts(realmPorts(serving.database, serving.portsOf, realm, actor), serving.database)
  return { ...answer, document: { contentType, body: Readable.from(serving.shares.inTurn(request, body(ports))) } }
}

/** The parts of a document are read at the replica too. */
const readingPorts = (ports: RealmPorts, database: Database): RealmPorts => ({
  ...ports,
  open: (work) => database.readInRealm('parts', ports.realm, ports.actor, work),
})

async function performAlone(performance: Performance, serving: Serving): Promise<WireAnswer | Document> {
  const { route, input, access, request, key, realm, actor } = performance
  const { database, portsOf, shares } = serving
  const outside = realmPorts(database, portsOf, realm, actor)
  const prepared = await route.before?.(input, outside)
  const open = <T>(work: (tx: Tx, where: ReadFrom) => Promise<T>) =>
    shares.run(route, request, () => {
      if (route.method === 'GET' && !route.acrossRealms) return database.readInRealm(route.id, realm, actor, work)
      const atPrimary = (tx: Tx) => work(tx, 'primary')
      return route.acrossRealms
        ? database.asSystem(actor, (tx) => atPrimary(within(tx, realm)))
        : database.inRealm(realm, actor, atPrimary)
    })
  // Of a read at the replica, which takes no entry: it is written before anything is answered.
  let unrecorded: Recorded | undefined
  const refused = refusedTo(request)
  const language = answerLanguage(request)
  const answer = await open(async (tx, where) => {
    unrecorded = undefined
    const work = async () => {
      // Only a route across realms is typed to see more than its realm.
      const context = { ...input, tx: tx as SystemTx & Tx, access }
      const accept = request.headers.accept ?? ''
      const languages = languagesOf(request.headers['accept-language'])
      const answer = await route.handler({ ...context, accept, languages, prepared, idempotencyKey: key?.key })
      if ('after' in answer) return answer
      if (where === 'replica') unrecorded = answer
      else await recordAccesses(tx, route, input, answer, serving)
      return 'document' in answer ? answer : toWire(answer, language)
    }
    return key ? once(realmKeys(tx), key, work, refused) : work()
  })
  const read = unrecorded as Recorded | undefined
  if (read && route.accesses) await outside.open((tx) => recordAccesses(tx, route, input, read, serving))
  if (!('after' in answer)) return answer
  const later = async () =>
    toWire(await answer.after(outside, realmPorts(database, portsOf, access.twin, actor)), language)
  return key ? finish((step) => outside.open((tx) => step(realmKeys(tx))), key, later, refused) : later()
}
