import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { AppError } from '../../domain/errors.ts'

// Nothing in the contract nests deeper than 6; PostgreSQL and JSON.stringify break at some thousand levels.
const MAX_DEPTH = 20

// 10,000 rows with 25 fields or 50 tags each. 10 MiB of nothing but fields would take JSON.parse 0.7 s, these 0.15 s.
const MAX_FIELDS = 250_000
const MAX_VALUES = 700_000

const [QUOTE, BACKSLASH, COLON, COMMA, OPEN_LIST, OPEN_OBJECT, CLOSE_LIST, CLOSE_OBJECT] = Buffer.from('"\\:,[{]}')

/** Reads the bytes alone, before anything is parsed. @throws VALIDATION_FAILED, PAYLOAD_TOO_LARGE */
function refuseShape(raw: Buffer): void {
  let [depth, fields, values] = [0, 0, 0]
  for (let at = 0; at < raw.length; at++) {
    const byte = raw[at]
    if (byte === QUOTE) {
      for (at++; at < raw.length && raw[at] !== QUOTE; at++) if (raw[at] === BACKSLASH) at++
    } else if (byte === COMMA) values++
    else if (byte === COLON) fields++
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values++
      if (++depth > MAX_DEPTH) throw malformed(`The body nests deeper than ${MAX_DEPTH} levels`)
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth--
    if (fields > MAX_FIELDS || values > MAX_VALUES) {
      throw new AppError('PAYLOAD_TOO_LARGE', 'The body holds too many values: send them in several requests')
    }
  }
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
    try {
      refuseShape(raw)
    } catch (err) {
      return done(err as AppError)
    }
    // Fastify's own parser refuses __proto__ and constructor.prototype keys.
    parse(request, raw.toString(), (err, value) => {
      if (err) return done(malformed('The body is not well-formed JSON'))
      done(null, value)
    })
  })
}

/** Message formats and tables, as the text that was sent; the route reads them. */
export function parseTextBodies(app: FastifyInstance): void {
  const types = ['application/hl7-v2', 'x-application/hl7-v2+er7', 'text/plain', 'text/csv', 'application/fhir+json']
  app.addContentTypeParser<Buffer>(types, { parseAs: 'buffer' }, (request, raw, done) => {
    request.rawBody = raw
    if (!isUtf8(raw)) return done(malformed('The body is not UTF-8'))
    done(null, raw.toString())
  })
}
