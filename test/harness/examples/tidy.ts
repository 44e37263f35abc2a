// What tests heard has random IDs, secrets, and the time of day. An example has stable ones that are as well formed.
import { createHash } from 'node:crypto'
import { isId } from '@kitlane/display/short-id'
import type { Heard } from './choose.ts'

const DAY_MS = 86_400_000
const TIMESTAMP = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g
const DAY = /(?<![\w-])\d{4}-\d\d-\d\d(?![\w-])/g
const OWN_ADDRESS = /https?:\/\/(?:127\.0\.0\.1|localhost)(?::\d+)?/g
const PREFIXED_ID = /\b[OKR][0-9A-HJKMNP-TV-Z]{9}\b/g
const RANDOM = /(?<![\w+/=.:-])[\w+/=-]{16,}(?![\w+/=-])|(?<=[/=])[\w-]{16,}/g
const EMAIL = /(?<![\w.+-])[\w.+-]*\d[\w.+-]*@[\w-]+(?:\.[\w-]+)+/g
const MADE_NAME = /\bClinic \w{6}\b/g
const CUSTOMER = /^\d{12}$/
const PATIENT = /(?<=Patient\/)\d{12}\b/g
const REFERENCE = /^(?:Patient|ServiceRequest|Specimen|Observation|DiagnosticReport)\//
// All examples are of this day.
const TODAY = Date.UTC(2026, 0, 15)
// What is further from the example's own day than this, and to the second, was written down in a test.
const NEAR_MS = 400 * DAY_MS
const MAX_ITEMS = 2
const MAX_TEXT = 600

export function tidy(heard: Heard, seed: string): Heard {
  const short = shorten(heard) as Heard
  const times = new Set(JSON.stringify(short).match(TIMESTAMP) ?? [])
  const today = usualDay([...times].map((time) => Date.parse(time)))
  const order = [...times].sort((a, b) => Date.parse(a) - Date.parse(b))
  const replaced = new Map<string, string>()
  const once = (from: string, make: (rank: number) => string) => {
    const known = replaced.get(from) ?? make(replaced.size)
    replaced.set(from, known)
    return known
  }
  const moved = (at: number) =>
    Math.abs(at - today) > NEAR_MS && at % 1000 === 0 ? undefined : TODAY + Math.round((at - today) / DAY_MS) * DAY_MS
  const time = (from: string) => {
    const day = moved(Date.parse(from))
    if (day === undefined) return from
    return new Date(day + (9 * 60 + order.indexOf(from)) * 60_000).toISOString()
  }
  const date = (from: string) => {
    const day = moved(Date.parse(from))
    return day === undefined ? from : new Date(day).toISOString().slice(0, 10)
  }
  const customer = (from: string) => once(from, (rank) => `4${digits(`${seed} ${rank}`, 11)}`)
  const emails = new Map<string, string>()
  const email = (from: string) => {
    const known = emails.get(from.toLowerCase()) ?? `person${emails.size + 1}@example.test`
    emails.set(from.toLowerCase(), known)
    return known
  }
  const text = (value: string) => {
    if (CUSTOMER.test(value)) return customer(value)
    // The bytes of a file stay what they are.
    if (value.startsWith('data:')) return value
    return value
      .replaceAll(OWN_ADDRESS, 'https://kits.example.com')
      .replaceAll(TIMESTAMP, (from) => time(from))
      .replaceAll(DAY, (from) => date(from))
      .replaceAll(PATIENT, (from) => customer(from))
      .replaceAll(PREFIXED_ID, (from) => once(from, (rank) => prefixedId(from, `${seed} ${rank}`)))
      .replaceAll(RANDOM, (from) => (isRandom(from) ? once(from, (rank) => alike(from, `${seed} ${rank}`)) : from))
      .replaceAll(EMAIL, (from) => email(from))
      .replaceAll(MADE_NAME, 'Clinic')
  }
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    // A customer's ID.
    if (typeof value === 'number' && Number.isInteger(value) && value >= 1e11 && value < 1e12)
      return Number(customer(String(value)))
    if (Array.isArray(value)) return value.map(walk)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
  }
  return walk(short) as Heard
}

/** The middle one: tests set the clock, so it need not be that of recording. */
function usualDay(times: readonly number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Date.now()
}

/** Lists are shortened, and so are long texts: what follows shows nothing more. */
function shorten(value: unknown): unknown {
  if (typeof value === 'string' && value.length > MAX_TEXT && !value.startsWith('data:'))
    return `${value.slice(0, MAX_TEXT / 4)}…`
  if (Array.isArray(value))
    return value.slice(0, value.every((one) => typeof one === 'object') ? MAX_ITEMS : 5).map(shorten)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shorten(inner)]))
}

/** Mixed letters and digits, as people do not write them. A prefix such as `kl_live_` stays. */
const isRandom = (text: string): boolean => {
  const random = text.slice(text.lastIndexOf('_') + 1)
  if (REFERENCE.test(text)) return false
  return (
    /\d/.test(random) && /[A-Za-z]/.test(random) && random.length >= 12 && !/^[a-z]+(?:-[a-z0-9]{1,8})*$/.test(random)
  )
}

/** Each character by another of its kind. */
function alike(text: string, seed: string): string {
  const start = text.lastIndexOf('_') + 1
  const stream = bytes(seed, text.length)
  return [...text]
    .map((character, at) => {
      if (at < start) return character
      const kind = kinds.find((one) => one.includes(character))
      return kind ? kind.charAt((stream[at] ?? 0) % kind.length) : character
    })
    .join('')
}

// Letters that are hexadecimal digits stay such.
const kinds = ['0123456789', 'abcdef', 'ABCDEF', 'ghijklmnopqrstuvwxyz', 'GHIJKLMNOPQRSTUVWXYZ']

function prefixedId(like: string, seed: string): string {
  const prefix = like.charAt(0) as 'O' | 'K' | 'R'
  const symbols = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
  const body = [...bytes(seed, 8)].map((byte) => symbols.charAt(byte % 32)).join('')
  const made = [...symbols].map((check) => prefix + body + check).find((id) => isId(prefix, id))
  return isId(prefix, like) && made ? made : like
}

const digits = (seed: string, count: number) => [...bytes(seed, count)].map((byte) => byte % 10).join('')

function bytes(seed: string, count: number): Uint8Array {
  const parts: Buffer[] = []
  for (let part = 0; part * 32 < count; part++) parts.push(createHash('sha256').update(`${seed} ${part}`).digest())
  return Buffer.concat(parts).subarray(0, count)
}
