import { crc32 } from 'node:zlib'
import { sha256 } from './crypto.ts'
import { randomBase62, toBase62 } from './ids.ts'

export type TokenMode = 'live' | 'sandbox'

const prefixOf: Record<TokenMode, string> = { live: 'kl_live_', sandbox: 'kl_test_' }
const form = /^kl_(live|test)_[0-9A-Za-z]{38}$/
const checksumLength = 6

const checksum = (text: string): string => toBase62(crc32(text), checksumLength)

/** An API token: 32 random base62 characters (190 bits) and a checksum, so that secret scanners and typos are told apart. */
export function newToken(mode: TokenMode): string {
  const text = prefixOf[mode] + randomBase62(32)
  return text + checksum(text)
}

/** The mode of a well-formed token; undefined for anything else, without asking the database. */
export function parseToken(text: string): { mode: TokenMode } | undefined {
  if (!form.test(text)) return undefined
  const body = text.slice(0, -checksumLength)
  if (checksum(body) !== text.slice(-checksumLength)) return undefined
  return { mode: text.startsWith(prefixOf.live) ? 'live' : 'sandbox' }
}

/** What the database keeps instead of the token. A plain hash is enough for 190 random bits. */
export const hashToken = (text: string): Buffer => sha256(text)
