import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorBody, toAppError } from '../../src/platform/http/error-body.ts'
import { learnMethods } from '../../src/platform/http/refusals.ts'

let app: FastifyInstance

beforeAll(async () => {
  app = fastify()
  app.setErrorHandler((err, request, reply) => {
    const error = toAppError(err)
    return reply.code(error.status).send(errorBody(error, request.id))
  })
  app.setNotFoundHandler(learnMethods(app, 'nothing'))
  const handler = async () => ({ is: 'here' })
  app.get('/orders/search', handler)
  await app.register(
    async (scope) => {
      scope.get('/:id', handler)
      scope.patch('/:id', handler)
    },
    { prefix: '/orders' },
  )
  app.get('/app/*', handler)
})
afterAll(() => app.close())

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'OPTIONS'

async function ask(method: Method, url: string) {
  const { statusCode, headers, body } = await app.inject({ method, url })
  return [statusCode, headers.allow, body === '' ? '' : JSON.parse(body).message]
}

describe('a method that a path does not take', () => {
  it('is 405, with every method that some route of that path takes', async () => {
    const all = 'GET, HEAD, OPTIONS, PATCH'
    expect(await ask('PUT', '/orders/7?page=1')).toEqual([405, all, `This path takes ${all}, not PUT`])
    expect(await ask('POST', '/orders/search')).toEqual([405, all, `This path takes ${all}, not POST`])
    expect((await ask('POST', '/app/kits/K1')).slice(0, 2)).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('is answered by OPTIONS without a refusal, and HEAD is answered like GET without the body', async () => {
    expect(await ask('OPTIONS', '/orders/7')).toEqual([204, 'GET, HEAD, OPTIONS, PATCH', ''])
    expect(await ask('HEAD', '/orders/7')).toEqual([200, undefined, ''])
  })

  it('is 404 where no route has the path, whatever the method', async () => {
    const unknown = ['/orders', '/orders/7/kits', '/ORDERS/7', '/appx']
    for (const path of unknown) {
      for (const method of ['GET', 'POST', 'OPTIONS'] as const) {
        expect([path, ...(await ask(method, path))]).toEqual([path, 404, undefined, 'nothing'])
      }
    }
  })
})
