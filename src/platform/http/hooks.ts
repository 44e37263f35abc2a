import type { FastifyInstance } from 'fastify'

/** Where another company's system calls us: without a token, but with a signature over the raw body. */
export interface Hook {
  path: string
  /** Default: 256 kB. */
  bodyLimitBytes?: number
  /** Returns once the message is stored. @throws AppError */
  receive(
    rawBody: Buffer,
    headers: Record<string, string | string[] | undefined>,
    params: Record<string, string | undefined>,
  ): Promise<void>
}

const BODY_LIMIT_BYTES = 256 * 1024

/** Takes the body as bytes, whatever its type: a signature is over what was sent. */
export async function registerHooks(app: FastifyInstance, hooks: readonly Hook[]): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES }, (_request, raw, done) =>
      done(null, raw),
    )
    for (const { path, receive, bodyLimitBytes: bodyLimit = BODY_LIMIT_BYTES } of hooks) {
      scope.post(path, { bodyLimit }, async (request) => {
        const { body } = request
        await receive(
          Buffer.isBuffer(body) ? body : Buffer.alloc(0),
          request.headers,
          request.params as Record<string, string>,
        )
        return { received: true }
      })
    }
  })
}
