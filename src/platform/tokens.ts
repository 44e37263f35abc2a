import { crc32 } from 'node:zlib'
import { randomBase62, toBase62 } from '../domain/ids.ts'
import { sha256 } from './crypto.ts'

/** A business in one mode, or the operator's machines and staff. */
export type TokenKind = 'live' | 'sandbox' | 'operator'

const prefixOf: Record<TokenKind, string> = { live: 'kl_live_', sandbox: 'kl_test_', operator: 'kl_oper_' }
const form = /^kl_(live|test|oper)_[0-9A-Za-z]{38}$/
const checksumLength = 6

const checksum = (text: string): string => toBase62(crc32(text), checksumLength)

/** An API token: 32 random base62 characters (190 bits) and a checksum, for secret scanners and to detect typos. */
export function newToken(kind: TokenKind): string {
  const text = prefixOf[kind] + randomBase62(32)
  return text + checksum(text)
}

/** The kind of a well-formed token; undefined for any other text. Does not ask the database. */
export function parseToken(text: string): { kind: TokenKind } | undefined {
  if (!form.test(text)) return undefined
  const body = text.slice(0, -checksumLength)
  if (checksum(body) !== text.slice(-checksumLength)) return undefined
  const kinds = Object.keys(prefixOf) as TokenKind[]
  const kind = kinds.find((candidate) => text.startsWith(prefixOf[candidate]))
  return kind && { kind }
}

/** The hash that the database keeps. A plain hash is enough for 190 random bits. */
export const hashToken = (text: string): Buffer => sha256(text)
