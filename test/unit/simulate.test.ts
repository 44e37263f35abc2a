import type { FastifyReply, FastifyRequest } from 'fastify'
import { expect, it } from 'vitest'
import { simulate } from '../../src/platform/http/simulate.ts'

it('a slow answer is the true one, given later', async () => {
  const headers: Record<string, string> = {}
  const reply = { header: (name: string, value: string) => Object.assign(headers, { [name]: value }) }
  const real = { ...reply } as unknown as FastifyReply
  const asked = { request: {} as FastifyRequest, reply: reply as unknown as FastifyReply, answer: async () => real }
  expect(await simulate('slow', asked, 0)).toBe(real)
  expect(headers).toEqual({ 'kitlane-simulated': 'slow' })
})
