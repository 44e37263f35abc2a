import { Readable } from 'node:stream'
import fastify from 'fastify'
import { expect, it } from 'vitest'
import { compressJson } from '../../src/platform/http/compress.ts'

const headers = { authorization: 'Bearer x', 'accept-encoding': 'br' }

it('a long answer that fails after it was compressed, or as a stream before its first byte, becomes a refusal that can be read', async () => {
  const app = fastify()
  compressJson(app)
  app.addHook('onSend', async ({ url }, reply) => {
    if (url === '/late' && reply.statusCode === 200) throw new Error('too late')
  })
  app.get('/late', async () => ({ text: 'x'.repeat(10_000) }))
  const failing = new Readable({ read: () => failing.destroy(new Error('no first byte')) })
  app.get('/stream', async (_request, reply) => reply.type('application/json').send(failing))
  for (const url of ['/late', '/stream']) {
    const answer = await app.inject({ url, headers })
    expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([500, undefined])
    expect(JSON.parse(answer.body).statusCode).toBe(500)
  }
  await app.close()
})
