import type { RecipientAddress } from '../../modules/kits/recipient-queries.ts'
import type { KitReminders, Stage } from './schema.ts'

const DAY_MS = 86_400_000
const MORNING = 9
const EVENING = 20
/** What could not be sent for so long is not sent any more: it would be a surprise. */
export const LATEST_DAYS = 14

const [EAST, CENTRAL, MOUNTAIN, PACIFIC] = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
] as const

/** The time zones of the United States by postal code: 49 CFR Part 71. A state that is divided has both. */
const zonesOfStates: Readonly<Record<string, readonly string[]>> = {
  AL: [CENTRAL],
  AK: ['America/Anchorage', 'America/Adak'],
  AS: ['Pacific/Pago_Pago'],
  AZ: ['America/Phoenix', MOUNTAIN],
  AR: [CENTRAL],
  CA: [PACIFIC],
  CO: [MOUNTAIN],
  CT: [EAST],
  DC: [EAST],
  DE: [EAST],
  FL: [EAST, CENTRAL],
  GA: [EAST],
  GU: ['Pacific/Guam'],
  HI: ['Pacific/Honolulu'],
  IA: [CENTRAL],
  ID: [MOUNTAIN, PACIFIC],
  IL: [CENTRAL],
  IN: [EAST, CENTRAL],
  KS: [CENTRAL, MOUNTAIN],
  KY: [EAST, CENTRAL],
  LA: [CENTRAL],
  MA: [EAST],
  MD: [EAST],
  ME: [EAST],
  MI: [EAST, CENTRAL],
  MN: [CENTRAL],
  MO: [CENTRAL],
  MP: ['Pacific/Guam'],
  MS: [CENTRAL],
  MT: [MOUNTAIN],
  NC: [EAST],
  ND: [CENTRAL, MOUNTAIN],
  NE: [CENTRAL, MOUNTAIN],
  NH: [EAST],
  NJ: [EAST],
  NM: [MOUNTAIN],
  NV: [PACIFIC, MOUNTAIN],
  NY: [EAST],
  OH: [EAST],
  OK: [CENTRAL],
  OR: [PACIFIC, MOUNTAIN],
  PA: [EAST],
  PR: ['America/Puerto_Rico'],
  RI: [EAST],
  SC: [EAST],
  SD: [CENTRAL, MOUNTAIN],
  TN: [EAST, CENTRAL],
  TX: [CENTRAL, MOUNTAIN],
  UT: [MOUNTAIN],
  VA: [EAST],
  VI: ['America/Puerto_Rico'],
  VT: [EAST],
  WA: [PACIFIC],
  WI: [CENTRAL],
  WV: [EAST],
  WY: [MOUNTAIN],
}

/** The time zones in which somebody may live; none: nobody knows. */
function zonesOf(address: RecipientAddress | null): readonly string[] {
  if (!address) return []
  const { country, state } = address
  const ofState = country === 'US' ? zonesOfStates[state.trim().toUpperCase()] : undefined
  return ofState ?? countryZones(country)
}

// TypeScript does not know it yet.
type ZonedLocale = Intl.Locale & { getTimeZones(): string[] | undefined }

function countryZones(country: string): readonly string[] {
  try {
    return (new Intl.Locale(`und-${country}`) as ZonedLocale).getTimeZones() ?? []
  } catch {
    return []
  }
}

const hourIn = (zone: string, now: Date): number =>
  Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: zone }).format(now))

/**
 * Whether it is night for somebody: before 9 or from 20 o'clock on. Where an address leaves several zones, it is
 * night while it is night in any of them; without an address, by UTC.
 */
export function isQuiet(address: RecipientAddress | null, now: Date): boolean {
  const zones = zonesOf(address)
  return (zones.length > 0 ? zones : ['UTC']).some((zone) => {
    const hour = hourIn(zone, now)
    return hour < MORNING || hour >= EVENING
  })
}

export interface Rule {
  stage: Stage
  /** As it is stored; empty: any. */
  kitType: string
  afterDays: number
  everyDays: number | null
  times: number
  /** text: to people who agreed to text messages; to others an e-mail. */
  by: 'email' | 'text'
  since: Date
}

/** The rule of a kit: that of its panel, else the one of all. */
const ruleOf = (rules: readonly Rule[], stage: Stage, kitType: string): Rule | undefined =>
  rules.find((rule) => rule.stage === stage && rule.kitType === kitType) ??
  rules.find((rule) => rule.stage === stage && rule.kitType === '')

/** Where a kit stands: what it may be reminded of, and since when nothing happened. */
export interface Standing {
  stage: Stage | undefined
  since: Date
  notify: boolean
  isStopped: boolean
  kitType: string
}

/** The next reminder of a kit, or why there is none. */
export function nextOf(
  rules: readonly Rule[],
  { stage, since, notify, isStopped, kitType }: Standing,
  sent: readonly { stage: Stage; number: number }[],
  now: Date,
): Pick<KitReminders, 'next' | 'why'> {
  const rule = stage && ruleOf(rules, stage, kitType)
  if (!rule) return { why: 'noRule' }
  if (!notify) return { why: 'notWanted' }
  if (isStopped) return { why: 'stopped' }
  const { afterDays, everyDays, times } = rule
  const number = Math.max(0, ...sent.filter((one) => one.stage === stage).map((one) => one.number)) + 1
  if (number > times) return { why: 'done' }
  const dueOf = (count: number) => new Date(since.getTime() + (afterDays + (count - 1) * (everyDays ?? 0)) * DAY_MS)
  // Those that were missed are left out: the last one that is due is sent.
  for (let count = number; count <= times; count++) {
    const [due, after] = [dueOf(count), count < times ? dueOf(count + 1) : undefined]
    const isLast = after === undefined || after > now
    const isTooOld = due < rule.since || now.getTime() - due.getTime() >= LATEST_DAYS * DAY_MS
    if (isLast && !isTooOld) return { next: { stage: rule.stage, number: count, dueDate: due.toISOString() } }
  }
  return { why: 'notDue' }
}
