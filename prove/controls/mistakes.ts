import { sql } from 'kysely'
import { DatabaseError } from 'pg'
import { z } from 'zod'
// What is imported here by value is loaded before a fault can reach it.
import { AppError } from '../../src/domain/errors.ts'

/** A place where a mistake can be put in: an export of a module, as other modules see it. */
export interface Fault {
  module(): Promise<object>
  point: string
  becomes(real: never): unknown
}

/** A mistake that somebody could make, the promise that it breaks, and the test that must find it. */
export interface Control {
  /** The row of the promise table. */
  promise: string
  what: string
  /** One; and a second line of defence that hides it, which is taken away with it. */
  faults: readonly Fault[]
  /** The file of the test, and a part of its title that no other test of the file has. */
  test: string
  title: string
  /** Put in by a proof of its own, where PostgreSQL 15 is; `prove:controls` leaves it to that. */
  only?: 'plans'
}

const at = <M extends object, P extends keyof M & string>(
  module: () => Promise<M>,
  point: P,
  becomes: (real: M[P]) => M[P],
): Fault => ({ module, point, becomes })

/** The same object with other properties; those of its class may be read only. */
const but = <T extends object>(one: T, changed: Partial<T>): T =>
  Object.create(one, Object.getOwnPropertyDescriptors(changed))

/** The mistakes that each test of a file must find, by its title. */
const of = (
  promise: string,
  test: string,
  found: Record<string, Record<string, Fault | readonly Fault[]>>,
  only?: 'plans',
): Control[] =>
  Object.entries(found).flatMap(([title, mistakes]) =>
    Object.entries(mistakes).map(([what, faults]) => ({ promise, what, faults: [faults].flat(), test, title, only })),
  )

// Functions, so that a module is loaded by the program that it breaks, and its name and exports are checked by the compiler.
const keys = () => import('../../src/platform/http/idempotency.ts')
const realmKeys = () => import('../../src/platform/http/realm-keys.ts')
const deliver = () => import('../../src/modules/webhooks/delivery/deliver.ts')
const outcome = () => import('../../src/modules/webhooks/delivery/outcome.ts')
const errorBody = () => import('../../src/platform/http/error-body.ts')
const retries = () => import('../../src/modules/webhooks/rules.ts')
const claims = () => import('../../src/modules/webhooks/delivery/claim-queries.ts')
const queue = () => import('../../src/modules/webhooks/delivery/dispatch-queue.ts')
const jsonShape = () => import('../../src/platform/http/json-shape.ts')
const text = () => import('@kitlane/display/text')
const fields = () => import('../../src/platform/http/fields.ts')
const overview = () => import('../../src/modules/insights/overview/queries.ts')
const ledger = () => import('../../src/modules/insights/numbers/ledger-queries.ts')
const numbers = () => import('../../src/modules/kits/number-queries.ts')
const recipients = () => import('../../src/modules/kits/recipient-queries.ts')
const server = () => import('../../src/platform/http/server.ts')

const idempotency = 'test/database/idempotency.test.ts'
const faults = 'test/process/webhook-faults.test.ts'
const webhooks = 'test/database/webhooks.test.ts'
const http = 'test/database/http.test.ts'
const statements = 'test/database/rows-read.test.ts'

type KeyOf = typeof import('../../src/platform/http/idempotency.ts').keyOf
type Keyed = Parameters<KeyOf>[1]
/** A key is read from another request than the one that came. */
const keyed = (changed: (request: Keyed) => Partial<Keyed>): Fault =>
  at(keys, 'keyOf', (real) => (route, request) => real(route, but(request, changed(request))))

type Deliver = typeof import('../../src/modules/webhooks/delivery/deliver.ts').deliver
const delivered = (becomes: (real: Deliver) => Deliver): Fault => at(deliver, 'deliver', becomes)

type Sent = Parameters<Parameters<Deliver>[0]['request']>[0]
/** A webhook's request is another one. */
const sent = (changed: (request: Sent) => Partial<Sent>): Fault =>
  delivered((real) => (egress, ...rest) => {
    const request = (one: Sent) => egress.request({ ...one, ...changed(one) })
    return real(but(egress, { request }), ...rest)
  })

type Attempt = import('../../src/modules/webhooks/delivery/claim-queries.ts').Attempt
/** Attempts that failed count as delivered. */
const counted = (wrongly: (attempt: Attempt) => boolean): Fault =>
  at(outcome, 'recordAttempts', (real) => (database, lease, attempts, log) => {
    const asDelivered = ({ dueAt, ...one }: Attempt): Attempt => ({ ...one, delivered: true })
    return real(
      database,
      lease,
      attempts.map((one) => (wrongly(one) ? asDelivered(one) : one)),
      log,
    )
  })

type ToAppError = typeof import('../../src/platform/http/error-body.ts').toAppError
const refused = (becomes: (real: ToAppError) => ToAppError): Fault => at(errorBody, 'toAppError', becomes)

/** An error of PostgreSQL about a value is the caller's: nothing should come that far. */
const net = refused((real) => (err) => {
  const isOfValue = err instanceof DatabaseError && err.code?.startsWith('22')
  return isOfValue ? new AppError('INTERNAL', 'A value cannot be stored') : real(err)
})

/** Each at one point of the service. Add one for each promise that only a test keeps. */
export const controls: readonly Control[] = [
  ...of('R1', idempotency, {
    'answers byte for byte the same and does its work once': {
      'the answers of a group are not kept': at(realmKeys, 'keepAnswers', () => () => []),
      'a replay does not say that it is one': at(keys, 'replay', (real) => (claimed, sent) => {
        const replayed = real(claimed, sent)
        return 'answer' in replayed && claimed.answer ? { answer: claimed.answer } : replayed
      }),
    },
    '200 times at once makes one order': {
      'the header is not read': at(keys, 'keyOf', () => () => undefined),
    },
    'tries again what a later change can turn': {
      'a refusal that a later change can turn is kept': at(keys, 'isStored', () => (err) => err.status < 500),
    },
    'is new again after 24 hours': {
      'keys are kept for good': at(keys, 'expiryOf', () => () => new Date(0)),
    },
  }),
  ...of('R2', idempotency, {
    'is refused with 422, be it the body': {
      'the body is no part of what a key stands for': keyed(() => ({ rawBody: Buffer.alloc(0) })),
      'the path is no part of it': keyed(() => ({ url: '' })),
    },
    'is refused with 409 while the first is still running': {
      'a twin in flight is told to be busy, not that the first still runs': at(
        keys,
        'once',
        (real) => async (store, key, work, refusal) => {
          try {
            return await real(store, key, work, refusal)
          } catch (err) {
            throw err instanceof AppError && err.code === 'IDEMPOTENCY_CONFLICT' ? (err.cause ?? err) : err
          }
        },
      ),
    },
    'is 1 to 255 visible ASCII characters': {
      'a key of any length is taken': keyed(({ headers }) => ({
        headers: { ...headers, 'idempotency-key': headers['idempotency-key']?.slice(0, 255) },
      })),
    },
    'means nothing to a GET': {
      'a key is claimed by a GET': keyed(() => ({ method: 'POST' })),
    },
  }),
  ...of('R6', faults, {
    'and answers 307 is tried again': {
      'a redirect counts as delivered': counted(({ status }) => status !== null && status >= 300 && status < 400),
    },
    'and resets it within the answer is tried again': {
      'an answer that broke off counts as delivered': counted(({ status, error }) => status === 200 && error !== null),
    },
    'and answers 429 with Retry-After': {
      'Retry-After is not heard': at(retries, 'retryAfterSeconds', () => () => undefined),
    },
    'and answers 410 is switched off': {
      'an endpoint that is gone stays on': at(
        claims,
        'disableEndpoint',
        (real) => async (tx, endpoint, reason) => (reason === 'gone' ? undefined : real(tx, endpoint, reason)),
      ),
    },
    'is read 2 kB far': {
      'an answer is read to its end': sent(() => ({ maxResponseBytes: 2 * 1024 ** 3 })),
    },
  }),
  ...of('R6', webhooks, {
    'with a long queue does not delay the first attempt of another business': {
      'one endpoint may take all requests in flight': at(
        queue,
        'DispatchQueue',
        (Real) =>
          class extends Real {
            inFlight = 0

            override next() {
              const next = this.inFlight < 16 ? super.next() : undefined
              if (!next) return undefined
              this.inFlight++
              const answered = () => {
                this.inFlight--
                next.answered()
              }
              return { ...next, answered }
            }
          },
      ),
    },
  }),
  ...of('R8', webhooks, {
    'signed so that the published library verifies it': {
      'the signature is of another text than the body': sent(({ body }) => ({ body: `${body} ` })),
    },
    'keeps the old secret valid for 24 h after a rotation': {
      'the old secret ends with the rotation': delivered(
        (real) => (egress, signerOf, delivery, sending) =>
          real(egress, signerOf, but(delivery, { oldSecret: null }), sending),
      ),
      'the old secret never ends': delivered((real) => {
        const known = new Map<string, Buffer | null>()
        return (egress, signerOf, delivery, sending) => {
          const oldSecret = delivery.oldSecret ?? known.get(delivery.endpointId) ?? null
          known.set(delivery.endpointId, oldSecret)
          return real(egress, signerOf, but(delivery, { oldSecret }), sending)
        }
      }),
    },
    'under the same webhook-id with a fresh timestamp': {
      'a retry has an id of its own': delivered((real) => (egress, signerOf, delivery, sending) => {
        const eventId = `${delivery.eventId}${delivery.attempt}`
        return real(egress, signerOf, but(delivery, { eventId }), sending)
      }),
      'a retry carries the time of the event': delivered(
        (real) => (egress, signerOf, delivery, sending) =>
          real(egress, signerOf, delivery, { ...sending, clock: { now: () => delivery.occurredAt } }),
      ),
    },
  }),
  ...of('R13', http, {
    'bodies that are no JSON, no UTF-8, too deep': {
      'text that is not JSON becomes a failure of ours': at(
        jsonShape,
        'malformed',
        () => (message) => new AppError('INTERNAL', message),
      ),
    },
    'bodies over the limit of the route are 413': {
      'a body over the limit is told as malformed': refused((real) => (err) => {
        const described = real(err)
        return described.code === 'PAYLOAD_TOO_LARGE' ? new AppError('VALIDATION_FAILED', described.message) : described
      }),
    },
    'each field with each hostile value': {
      'text that PostgreSQL cannot hold reaches it': [at(text, 'isStorable', () => () => true), net],
    },
    'hostile values in each parameter of a query': {
      'the text of a search is not checked': [
        at(fields, 'searchText', () => z.string().transform((text) => text.trim())),
        net,
      ],
    },
  }),
  ...of('R13', 'test/database/sockets.test.ts', {
    'is answered with 4xx or by closing, and harms nobody else': {
      'what is not HTTP is answered with 500': at(server, 'buildHttp', (real) => async (options) => {
        const http = await real(options)
        http.app.server
          .removeAllListeners('clientError')
          .on('clientError', (_err, socket) => socket.end('HTTP/1.1 500 Internal Server Error\r\n\r\n'))
        return http
      }),
    },
  }),
  ...of(
    '',
    statements,
    {
      'each list, search, count and page of every audience reads what it shows': {
        'a day is cast to a time beside the column': at(
          overview,
          'countOrdersByDay',
          () => (tx, days) =>
            tx.rows(sql`
          with starts as (
            select day, coalesce(
              (select o.seq from orders o where o.realm_id = ${tx.realm.id} and o.created_at >= day::timestamp at time zone 'UTC'
               order by o.created_at, o.seq limit 1), c.orders + 1) as seq, c.orders + 1 as next
            from unnest(${days}::text[]) day cross join realm_counters c where c.realm_id = ${tx.realm.id})
          select day as date, lead(seq, 1, next) over (order by day) - seq as orders from starts order by day`),
        ),
        'the ledger is halved by a division beside the column': at(
          ledger,
          'starts',
          () => (realmIds, from) =>
            sql`
        recursive halving(realm_id, low, high) as (
          select c.realm_id, 1::bigint, c.transfers::bigint + 1 from realm_counters c where c.realm_id = any(${realmIds}::int[])
          union all
          select h.realm_id, case when m.at < ${from} then m.seq + 1 else h.low end, case when m.at < ${from} then h.high else m.seq end
          from halving h cross join lateral (
            select t.seq, t.at from credit_transfers t where t.realm_id = h.realm_id and t.seq = (h.low + h.high) / 2 limit 1) m
          where h.low < h.high),
        starts as (select realm_id, low as seq from halving where low = high)`,
        ),
        'kits are halved by a division beside the column': at(numbers, 'numbersWithin', () => async (tx, filter) => {
          if (!filter.createdFrom && !filter.createdTo) return undefined
          const firstFrom = (time: Date) => sql`(
          with recursive s(low, high) as (
            select 1::bigint, kits + 1 from realm_counters where realm_id = ${tx.realm.id}
            union all
            select case when k.created_at < ${time} then m.middle + 1 else s.low end,
                   case when k.created_at < ${time} then s.high else m.middle end
            from s cross join lateral (select (s.low + s.high) / 2 as middle) m
            cross join lateral (select created_at from kits where realm_id = ${tx.realm.id} and seq = m.middle) k
            where s.low < s.high)
          select low from s where low = high)`
          return tx.row(sql`
          select ${filter.createdFrom ? firstFrom(filter.createdFrom) : sql`1::bigint`} as "from",
                 ${filter.createdTo ? firstFrom(filter.createdTo) : sql`9007199254740991::bigint`} as "to"`)
        }),
        'orders that are not indexed yet are sought among all': at(
          recipients,
          'mayBeSentTo',
          () => async (tx) =>
            sql`
        select n.id from realm_counters c left join order_finds_done d on d.realm_id = c.realm_id
        join orders n on n.realm_id = c.realm_id and n.seq + 0 > coalesce(d.seq, 0) where c.realm_id = ${tx.realm.id}`,
        ),
      },
    },
    'plans',
  ),
]
