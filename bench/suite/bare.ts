// Fastify and nothing else: it answers every request with one body that it was given.
import fastify from 'fastify'

process.once('message', async ({ body }: { body: string }) => {
  const app = fastify()
  app.get('/*', async (_request, reply) => reply.type('application/json; charset=utf-8').send(body))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  process.once('SIGTERM', () => process.exit())
  process.send?.(Number(new URL(url).port))
})
