import type { FastifyInstance, FastifyReply } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { ANONYMOUS_PER_MINUTE, limit } from './access.ts'
import { RequestCounts } from './request-counts.ts'
import type { SharedCounts } from './shared-counts.ts'

/** Where another company's system calls us: without a token, but with a signature over the raw body. */
export interface Hook {
  path: string
  /** Default: 256 kB. */
  bodyLimitBytes?: number
  /**
   * The secret is in the database: an address with too many refused requests is refused before its next one is read. Other hooks
   * verify before they ask the database, so that a signed message is taken however many others come from its address.
   */
  isSecretStored?: boolean
  /** What is answered to a message that was taken. Default: JSON. */
  answer?: { contentType: string; body: string }
  /** Returns once the message is stored. @throws AppError */
  receive(
    rawBody: Buffer,
    headers: Record<string, string | string[] | undefined>,
    params: Record<string, string | undefined>,
    query: Readonly<Record<string, unknown>>,
  ): Promise<void>
}

const BODY_LIMIT_BYTES = 256 * 1024

/** Takes the body as bytes, whatever its type: a signature is over what was sent. What is refused counts against its address. */
export async function registerHooks(
  app: FastifyInstance,
  hooks: readonly Hook[],
  shared: SharedCounts | undefined,
): Promise<void> {
  const counts = new RequestCounts('hooks', shared)
  const count = async (ip: string, reply: FastifyReply) => {
    const refusal = limit(reply, await counts.add(`ip:${ip}`, ANONYMOUS_PER_MINUTE), ANONYMOUS_PER_MINUTE)
    if (refusal) throw refusal
  }
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES }, (_request, raw, done) =>
      done(null, raw),
    )
    for (const { path, receive, isSecretStored, answer, bodyLimitBytes: bodyLimit = BODY_LIMIT_BYTES } of hooks) {
      scope.route({
        method: 'POST',
        url: path,
        bodyLimit,
        ...(isSecretStored && { onRequest: (request, reply) => count(request.ip, reply) }),
        async handler(request, reply) {
          const { body, headers } = request
          let isRefused = false
          try {
            const params = request.params as Record<string, string>
            const query = request.query as Record<string, unknown>
            await receive(Buffer.isBuffer(body) ? body : Buffer.alloc(0), headers, params, query)
          } catch (err) {
            isRefused = err instanceof AppError && err.status < 500
            if (isRefused && !isSecretStored) await count(request.ip, reply)
            throw err
          } finally {
            if (isSecretStored && !isRefused) counts.takeBack(`ip:${request.ip}`)
          }
          return answer ? reply.type(answer.contentType).send(answer.body) : { received: true }
        },
      })
    }
  })
}
