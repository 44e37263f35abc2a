import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../errors.ts'

// Nothing in the contract nests deeper than 6; PostgreSQL and JSON.stringify break at some thousand.
const MAX_DEPTH = 20

/** Depth without recursion: `[` × 200,000 parses, but anything recursive on it overflows. */
function isTooDeep(value: unknown): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return true
    level = level.flatMap((item) => (item !== null && typeof item === 'object' ? Object.values(item) : []))
  }
  return false
}

const malformed = (message: string) => new AppError('VALIDATION_FAILED', message)

/** JSON only, UTF-8 only, never too deep; the raw bytes are kept for the idempotency fingerprint. */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, raw, done) => {
    request.rawBody = raw
    if (raw.length === 0) return done(null, undefined)
    if (!isUtf8(raw)) return done(malformed('The body is not UTF-8'))
    // Fastify's own parser refuses __proto__ and constructor.prototype keys.
    parse(request, raw.toString(), (err, value) => {
      if (err) return done(malformed('The body is not well-formed JSON'))
      if (isTooDeep(value)) return done(malformed(`The body nests deeper than ${MAX_DEPTH} levels`))
      done(null, value)
    })
  })
}

/** Formats of laboratories, and tables, taken as the text that they came as; the route reads them. */
export function parseTextBodies(app: FastifyInstance): void {
  const types = ['application/hl7-v2', 'x-application/hl7-v2+er7', 'text/plain', 'text/csv', 'application/fhir+json']
  app.addContentTypeParser<Buffer>(types, { parseAs: 'buffer' }, (request, raw, done) => {
    request.rawBody = raw
    if (!isUtf8(raw)) return done(malformed('The body is not UTF-8'))
    done(null, raw.toString())
  })
}
