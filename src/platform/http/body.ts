import { isUtf8 } from 'node:buffer'
import { workbookOf, XLSX } from '@kitlane/display/workbook-kind'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { HL7_TYPES } from './hl7.ts'
import { charsetOf, utf16Of } from './hl7-header.ts'
import { hashLongBody } from './idempotency.ts'
import { malformed, readShape } from './json-shape.ts'
import { parseLongJson } from './long-json.ts'
import { LONG_BODY_BYTES, type Shares } from './shares.ts'

const notJson = () => malformed('The body is not well-formed JSON')

/** JSON only, UTF-8 only, never too deep; the raw bytes are kept for the idempotency fingerprint. */
export function parseJsonBodies(app: FastifyInstance, shares: Shares): void {
  const parseText = app.getDefaultJsonParser('error', 'error')
  // Fastify's own parser refuses __proto__ and constructor.prototype keys. It calls back before it returns.
  const parse = (request: FastifyRequest, text: string): unknown => {
    let parsed: unknown
    parseText(request, text, (err, value) => {
      if (err) throw notJson()
      parsed = value
    })
    return parsed
  }
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, raw, done) => {
    request.rawBody = raw
    if (raw.length === 0) return done(null, undefined)
    if (!isUtf8(raw)) return done(malformed('The body is not UTF-8'))
    if (raw.length > LONG_BODY_BYTES) return void parseLong(request, raw).then((body) => done(null, body), done)
    try {
      for (const _ of readShape(raw));
      done(null, parse(request, raw.toString()))
    } catch (err) {
      done(err as Error)
    }
  })

  async function parseLong(request: FastifyRequest, raw: Buffer): Promise<unknown> {
    await shares.enterWithLongBody(request)
    await hashLongBody(request)
    return parseLongJson(raw, (text) => parse(request, text))
  }
}

// Firefox on Windows names CSV as Excel does, once it is installed.
const TABLE_TYPES = ['text/csv', 'text/tab-separated-values', 'application/vnd.ms-excel', XLSX]

/** Message formats and tables, as the text that was sent; the route reads them. The bytes of a workbook are sent on as latin1. */
export function parseTextBodies(app: FastifyInstance): void {
  const types = [...HL7_TYPES, 'text/plain', ...TABLE_TYPES, 'application/fhir+json']
  app.addContentTypeParser<Buffer>(types, { parseAs: 'buffer' }, (request, raw, done) => {
    request.rawBody = raw
    try {
      done(null, decoded(raw, request.headers['content-type']))
    } catch (err) {
      done(err as Error)
    }
  })
}

/**
 * By a byte order mark of UTF-16, else by the charset that Content-Type names, else as UTF-8, else by the one that MSH-18 of an
 * HL7 message names, and a CSV as Windows-1252. @throws VALIDATION_FAILED
 */
function decoded(raw: Buffer, contentType = ''): string {
  if (workbookOf(raw)) return raw.toString('latin1')
  const utf16 = utf16Of(raw)
  if (utf16) return new TextDecoder(utf16).decode(raw)
  const named =
    /;\s*charset="?([\w.:-]+)/i.exec(contentType)?.[1] ?? (isUtf8(raw) ? 'utf-8' : undeclaredCharset(raw, contentType))
  try {
    return new TextDecoder(named, { fatal: true }).decode(raw)
  } catch {
    throw malformed('The body is not UTF-8, nor in the charset that Content-Type or MSH-18 names')
  }
}

// Excel saves CSV so in Western countries, and names it nowhere.
const undeclaredCharset = (raw: Buffer, contentType: string): string =>
  charsetOf(raw) ?? (TABLE_TYPES.some((type) => contentType.toLowerCase().startsWith(type)) ? 'windows-1252' : 'utf-8')
