// Plain Fastify. It answers every request with the same given body.
import fastify from 'fastify'

process.once('message', async ({ body }: { body: string }) => {
  const app = fastify()
  app.get('/*', async (_request, reply) => reply.type('application/json; charset=utf-8').send(body))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  process.once('SIGTERM', () => process.exit())
  process.send?.(Number(new URL(url).port))
})
