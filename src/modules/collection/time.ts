import type { Place } from '@kitlane/display/postal-address'
import { zonesOfCountry, zonesOfPart } from '../../domain/zones.ts'

/** When a sample was taken, as somebody gave it: never more precise than that. */
export interface GivenTime {
  /** `YYYY-MM-DD`, or `YYYY-MM-DDTHH:MM` */
  collectedDate: string
  /** IANA, such as `Europe/Madrid`, or an offset, such as `+01:00`. A day alone may have been given without. */
  zone?: string | undefined
  /** Which of two it was, where the clocks of the zone showed the time twice. */
  offset?: string | undefined
}

const OFFSET = /^([+-])(\d{2}):(\d{2})$/
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const formats = new Map<string, Intl.DateTimeFormat>()
function formatOf(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone)
  if (known) return known
  const all = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
  const made = new Intl.DateTimeFormat('en-u-ca-iso8601', { ...all, hourCycle: 'h23', timeZone: zone })
  formats.set(zone, made)
  return made
}

/** Whether a text names a zone. Abbreviations name none: CST is in Chicago, in Havana and in Shanghai. */
export function isZone(text: string): boolean {
  const [, , hours, minutes] = OFFSET.exec(text) ?? []
  if (hours !== undefined) return Number(hours) * 60 + Number(minutes) <= 14 * 60 && Number(minutes) < 60
  if (text !== 'UTC' && !/^[A-Za-z]+\/[A-Za-z/_+-]+\d*$/.test(text)) return false
  try {
    formatOf(text)
    return true
  } catch {
    return false
  }
}

/** The wall clock of a zone: `YYYY-MM-DDTHH:MM`. */
export function localTime(at: Date, zone: string): string {
  const [, sign, hours, minutes] = OFFSET.exec(zone) ?? []
  if (sign !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
    return new Date(at.getTime() + offset * MINUTE_MS).toISOString().slice(0, 16)
  }
  const parts = new Map(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, value]),
  )
  const part = (name: Intl.DateTimeFormatPartTypes) => parts.get(name) ?? ''
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}`
}

/** The offsets at which a wall clock shows a time: two where clocks went back, none where they went forward. */
export function offsetsOf(local: string, zone: string): string[] {
  if (OFFSET.test(zone)) return [zone]
  const wall = Date.parse(`${local}Z`)
  const around = [-DAY_MS, DAY_MS].map((ms) => {
    const at = new Date(wall + ms)
    return Math.round((Date.parse(`${localTime(at, zone)}Z`) - at.getTime()) / MINUTE_MS)
  })
  return [...new Set(around)]
    .filter((minutes) => localTime(new Date(wall - minutes * MINUTE_MS), zone) === local)
    .map(text)
}

function text(minutes: number): string {
  const two = (number: number) => String(Math.floor(number)).padStart(2, '0')
  const whole = Math.abs(minutes)
  return `${minutes < 0 ? '-' : '+'}${two(whole / 60)}:${two(whole % 60)}`
}

export const precisionOf = ({ collectedDate }: Pick<GivenTime, 'collectedDate'>): 'day' | 'time' =>
  collectedDate.length === 10 ? 'day' : 'time'

/** The offsets that a given time may have: of two, the one that was chosen. */
function offsetsOfGiven({ collectedDate, zone = 'UTC', offset }: GivenTime): string[] {
  const all = offsetsOf(collectedDate, zone)
  return offset !== undefined && all.includes(offset) ? [offset] : all
}

/** The day, or the minute with its offset. */
export const momentOf = (given: GivenTime): string =>
  precisionOf(given) === 'day' ? given.collectedDate : `${given.collectedDate}${offsetsOfGiven(given)[0] ?? ''}`

/** The same as RFC 3339 and FHIR write it, which know no time without seconds. */
export const timestampOf = (moment: string): string =>
  moment.length > 10 ? `${moment.slice(0, 16)}:00${moment.slice(16)}` : moment

const HOUR_MS = 3_600_000

/** The first and the last instant of a minute or a day. A day without a zone may be one anywhere on earth. */
export function spanOf(moment: string, zone?: string): readonly [first: number, last: number] {
  const isInstant = /(?:Z|[+-]\d{2}:\d{2})$/.test(moment.slice(10))
  const midnight = `${moment.slice(0, 10)}T00:00`
  const start = Date.parse(
    isInstant ? moment : `${midnight}${zone === undefined ? 'Z' : (offsetsOf(midnight, zone)[0] ?? 'Z')}`,
  )
  if (isInstant) return [start, start]
  return zone === undefined ? [start - 14 * HOUR_MS, start + 36 * HOUR_MS] : [start, start + DAY_MS]
}

/** What is known of a kit and its person, by which a time is checked. */
export interface KnownTimes {
  now: Date
  /** `YYYY-MM-DD` */
  born: string | undefined
  /** The kit was with the person then, or was at least on its way. */
  arrived: Date
  received: Date | undefined
}

export const timeProblems = ['skipped', 'twice', 'future', 'born', 'early', 'late'] as const
export interface TimeProblem {
  is: (typeof timeProblems)[number]
  /** With what to do. */
  message: string
}

/** Why a sample was not taken then; undefined: it may have been. */
export function timeProblem(given: GivenTime, { now, born, arrived, received }: KnownTimes): TimeProblem | undefined {
  const { collectedDate, zone = 'UTC' } = given
  const day = collectedDate.slice(0, 10)
  const isTime = precisionOf(given) === 'time'
  const offsets = isTime ? offsetsOfGiven(given) : []
  const clock = collectedDate.slice(11)
  if (isTime && offsets.length === 0)
    return {
      is: 'skipped',
      message: `Clocks in ${zone} went forward on ${day}, and never showed ${clock}: correct the time`,
    }
  if (offsets.length > 1)
    return {
      is: 'twice',
      message: `Clocks in ${zone} went back on ${day}, and showed ${clock} twice: send ${offsets.join(' or ')} as \`zone\``,
    }
  const at = isTime ? new Date(`${collectedDate}:00${offsets[0]}`) : undefined
  const isAfter = (limit: Date) => (at ? at > limit : day > localTime(limit, zone).slice(0, 10))
  if (isAfter(now)) return { is: 'future', message: 'This is still to come: give the time once the sample is taken' }
  if (born !== undefined && day < born)
    return { is: 'born', message: 'This is before the person was born: correct the day' }
  const came = localTime(arrived, zone).slice(0, 10)
  // Carriers report the day well, and the hour late.
  if (day < came)
    return {
      is: 'early',
      message: `The kit came on ${came}: correct the day, or the kit ID if it was another kit`,
    }
  if (received === undefined || !isAfter(received)) return undefined
  const had = localTime(received, zone).slice(0, 10)
  return { is: 'late', message: `The laboratory had the sample on ${had}: correct the day and the time` }
}

// Of several zones with one name, the one that people know.
const usual = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'Australia/Sydney',
  'Europe/Lisbon',
  'Europe/Madrid',
]

interface Choice {
  zones: readonly (readonly [zone: string, name: string])[]
  /** Where the address tells which one it is. */
  own: string | undefined
}

/** The zones of an address's country by their names in a language, and which is that of the address; of no known country, all. */
export function zonesOf(address: Place | undefined, language: string, standing: string | undefined): Choice {
  const part = address && zonesOfPart(address)
  const known = address ? zonesOfCountry(address.country) : []
  const all = known.length > 0 ? known : allZones()
  const sorted = [...(part?.slice(0, 1) ?? []), ...usual.filter((zone) => all.includes(zone)), ...all]
  const byName = new Map<string, string>()
  for (const zone of sorted) {
    const name = known.length > 0 ? nameOf(zone, language) : zone
    if (!byName.has(name)) byName.set(name, zone)
  }
  const zones = [...byName].map(([name, zone]) => [zone, name] as const)
  const isListed = !standing || zones.some(([zone]) => zone === standing)
  const own = part?.[0] ?? (zones.length === 1 ? zones[0]?.[0] : undefined)
  return { own, zones: isListed ? zones : [...zones, [standing, standing]] }
}

const allZones = (): string[] => Intl.supportedValuesOf('timeZone')

const plain = (text: string) => text.trim().toLowerCase().replaceAll(' ', '_')

/** The zone of a name, or of the city in it, as somebody typed it; what names none stays as it is. */
export const zoneNamed = (text: string): string =>
  allZones().find((zone) => [zone, zone.split('/').at(-1) ?? ''].some((name) => plain(name) === plain(text))) ??
  text.trim()

const nameOf = (timeZone: string, language: string): string =>
  new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'longGeneric' })
    .formatToParts()
    .find(({ type }) => type === 'timeZoneName')?.value ?? timeZone
