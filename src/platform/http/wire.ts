import type { FastifyRequest } from 'fastify'
import type { AppError } from '../../domain/errors.ts'
import { jsonIn } from '../../domain/translations/sentences.ts'
import { answerLanguage } from './accept.ts'
import { errorBody } from './error-body.ts'
import { shownRequestId } from './request-id.ts'

/** An answer in the bytes that are sent. */
export interface WireAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

type Answered = { status: number; headers?: Record<string, string>; body: unknown }

/** `language`: of the sentences in it. */
export const toWire = ({ status, headers = {}, body }: Answered, language = 'en'): WireAnswer => ({
  status,
  headers,
  body: jsonIn(language, body),
})

export function refusalToWire(err: AppError, requestId: string, language = 'en'): WireAnswer {
  return { status: err.status, headers: {}, body: JSON.stringify(errorBody(err, requestId, language)) }
}

/** How refusals of a request are sent. */
export const refusedTo = (request: FastifyRequest) => (err: AppError) =>
  refusalToWire(err, shownRequestId(request), answerLanguage(request))
