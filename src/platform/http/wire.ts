import type { AppError } from '../../domain/errors.ts'
import { errorBody } from './error-body.ts'

/** An answer in the bytes that are sent. */
export interface WireAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

export function toWire(answer: { status: number; headers?: Record<string, string>; body: unknown }): WireAnswer {
  return { status: answer.status, headers: answer.headers ?? {}, body: JSON.stringify(answer.body) }
}

export function refusalToWire(err: AppError, requestId: string): WireAnswer {
  return { status: err.status, headers: {}, body: JSON.stringify(errorBody(err, requestId)) }
}
