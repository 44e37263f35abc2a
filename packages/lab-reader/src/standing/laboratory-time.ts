/** The times of a value as its laboratory sent them: ISO 8601, as exact as they were sent. */
export interface LaboratoryTimes {
  /** When it was reported or changed its status: OBR-22, FHIR `issued`. */
  reportedDate?: string | undefined
  /** When it was measured: OBX-19. */
  analyzedDate?: string | undefined
  /** When its message was sent: MSH-7, FHIR `meta.lastUpdated`. */
  sentDate?: string | undefined
}

interface Span {
  fromMs: number
  toMs: number
  hasZone: boolean
}

const written =
  /^(\d{4})(?:-(\d{2})(?:-(\d{2})(?:T(\d{2})(?::(\d{2})(?::(\d{2})(?:\.(\d{1,9}))?)?)?)?)?)?(Z|[+-]\d{2}:?\d{2})?$/

const HOUR_MS = 3_600_000
/** Zones of the world reach from 12 hours behind UTC to 14 hours ahead of it. */
const BEHIND_MS = 12 * HOUR_MS
const AHEAD_MS = 14 * HOUR_MS

/** The stretch of time that a text means: a day is all of it. Undefined if it is no time. */
function spanOf(text: string | undefined): Span | undefined {
  const match = written.exec(text?.trim() ?? '')
  if (!match) return undefined
  const [, year, month, day, hour, minute, second, fraction, zone] = match
  const [y, m, d, h, min, s] = [year, month, day, hour, minute, second].map((part) => Number(part ?? Number.NaN))
  const begin = Date.UTC(
    Number(y),
    (m || 1) - 1,
    d || 1,
    h || 0,
    min || 0,
    s || 0,
    fraction ? thousandths(fraction) : 0,
  )
  if (!Number.isFinite(begin) || !isRealTime(begin, { m, d, h, min, s })) return undefined
  const lasts = fraction ? 1 : second ? 1000 : minute ? 60_000 : hour ? HOUR_MS : day ? 24 * HOUR_MS : undefined
  const end =
    lasts === undefined ? (month ? Date.UTC(Number(y), Number(m), 1) : Date.UTC(Number(y) + 1, 0, 1)) : begin + lasts
  const offset = zone === undefined || zone === 'Z' ? 0 : offsetMs(zone)
  return { fromMs: begin - offset, toMs: end - 1 - offset, hasZone: zone !== undefined }
}

const thousandths = (fraction: string) => Number(fraction.padEnd(3, '0').slice(0, 3))

const offsetMs = (zone: string) =>
  (zone.startsWith('-') ? -1 : 1) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2))) * 60_000

/** 31 February or 25:00 would become another time. */
function isRealTime(ms: number, parts: Record<'m' | 'd' | 'h' | 'min' | 's', number | undefined>): boolean {
  const date = new Date(ms)
  const said = { m: date.getUTCMonth() + 1, d: date.getUTCDate(), h: date.getUTCHours() }
  const small = { min: date.getUTCMinutes(), s: date.getUTCSeconds() }
  return Object.entries({ ...said, ...small }).every(([part, is]) => {
    const asked = parts[part as 'm']
    return asked === undefined || Number.isNaN(asked) || asked === is
  })
}

/**
 * Whether one time is before another for certain. Times without a zone are of one laboratory and compare with each other; with
 * a zone they compare only where every zone of the world gives the same order. `hours`: by more than these.
 */
export function isBefore(one: string | undefined, other: string | undefined, hours = 0): boolean {
  const [a, b] = [spanOf(one), spanOf(other)]
  if (!a || !b) return false
  const toMs = a.toMs + hours * HOUR_MS
  if (a.hasZone === b.hasZone) return toMs < b.fromMs
  return a.hasZone ? toMs < b.fromMs - AHEAD_MS : toMs + BEHIND_MS < b.fromMs
}

/** A time without those that are a day or more ahead of the arrival: a clock that is wrong would win forever. */
export function trusted(text: string | undefined, arrivedAt: Date): string | undefined {
  const span = spanOf(text)
  return span && span.fromMs <= arrivedAt.getTime() + 24 * HOUR_MS ? text : undefined
}
