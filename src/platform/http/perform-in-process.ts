import type { FastifyInstance } from 'fastify'

/** A request of the API that another way in makes for its caller. */
export interface InProcessRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  url: string
  /** Of the caller: limits and the addresses of a token count it. */
  remoteAddress: string
  headers: Record<string, string>
  body?: Buffer
}

/** Performs a request in this process, through the same edge as those of HTTP. */
export type PerformRequest = (request: InProcessRequest) => Promise<{ status: number; payload: string }>

export const performIn =
  (app: FastifyInstance): PerformRequest =>
  async ({ body, ...request }) => {
    const { statusCode: status, payload } = await app.inject({ ...request, ...(body && { payload: body }) })
    return { status, payload }
  }
