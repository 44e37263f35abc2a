import type { FastifyRequest } from 'fastify'

const header = 'x-request-id'

/** The caller's own ID of a request, if it is well formed. It may repeat, or belong to someone else: nothing relies on it. */
export function callerRequestId({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const given = headers[header]
  return typeof given === 'string' && /^[\w.:-]{1,128}$/.test(given) ? given : undefined
}

/** The ID that an answer shows: the caller's own, else ours. */
export const shownRequestId = (request: Pick<FastifyRequest, 'headers' | 'id'>): string =>
  callerRequestId(request) ?? request.id

/** Where a request comes from, for the audit. */
export function originOf(request: FastifyRequest): { requestId: string; callerRequestId?: string; ip: string } {
  const given = callerRequestId(request)
  return { requestId: request.id, ...(given && { callerRequestId: given }), ip: request.ip }
}
