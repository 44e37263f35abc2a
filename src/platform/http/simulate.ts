import { setTimeout as delay } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../domain/errors.ts'
import { errorBody } from './error-body.ts'
import { shownRequestId } from './request-id.ts'

const HEADER = 'kitlane-simulate'
/** Figures of the service leave simulated failures out: an integrator's test must wake nobody. */
export const SIMULATED = 'kitlane-simulated'

const failures = {
  429: () => new AppError('RATE_LIMITED', 'Simulated: too many requests; try again in 1 s'),
  503: () => new AppError('OVERLOADED', 'Simulated: the service is busy, try again in a moment'),
}
const values = [...Object.keys(failures), 'slow', 'lost']
// Longer than a careless client's limit, shorter than a usual one.
const SLOW_MS = 5000

/** What a sandbox caller wants to happen to the answer; undefined without the header. */
export type Simulation = keyof typeof failures | 'slow' | 'lost'

/**
 * Reads the header. A live token is refused and not ignored: a test that expects a failure would place a real order.
 * @throws VALIDATION_FAILED
 */
export function simulationOf({ headers, access }: FastifyRequest): Simulation | undefined {
  const simulated = headers[HEADER]
  if (simulated === undefined) return undefined
  const refuse = (message: string) =>
    new AppError('VALIDATION_FAILED', message, { details: [{ message, path: 'Kitlane-Simulate' }] })
  if (access?.realm.mode !== 'sandbox') throw refuse('Kitlane-Simulate works with a sandbox token only')
  if (typeof simulated !== 'string' || !values.includes(simulated))
    throw refuse(`Kitlane-Simulate takes ${values.join(', ')}`)
  return simulated as Simulation
}

/** Answers with the failure, or waits and then lets `answer` do its work; of `lost` nobody gets to know what it did. */
export async function simulate(
  simulation: Simulation,
  { request, reply, answer }: { request: FastifyRequest; reply: FastifyReply; answer: () => Promise<FastifyReply> },
  slowMs = SLOW_MS,
): Promise<FastifyReply> {
  reply.header(SIMULATED, simulation)
  if (simulation === 'slow') {
    await delay(slowMs)
    return answer()
  }
  if (simulation === 'lost') {
    request.raw.socket.destroy()
    return answer()
  }
  const error = failures[simulation]()
  request.refusedWith = error.code
  return reply
    .code(error.status)
    .header('retry-after', '1')
    .send(errorBody(error, shownRequestId(request)))
}
