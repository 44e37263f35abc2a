import { zonesAt } from '../../domain/zones.ts'
import type { RecipientAddress } from '../../modules/kits/recipient-queries.ts'
import type { KitReminders, Stage } from './schema.ts'

const DAY_MS = 86_400_000
const MORNING = 9
const EVENING = 20
/** What could not be sent for so long is not sent any more: it would be a surprise. */
export const LATEST_DAYS = 14

const hourIn = (zone: string, now: Date): number =>
  Number(new Intl.DateTimeFormat('en', { hour: 'numeric', hourCycle: 'h23', timeZone: zone }).format(now))

/**
 * Whether it is night for somebody: before 9 or from 20 o'clock on. Where an address leaves several zones, it is
 * night while it is night in any of them; without an address, by UTC.
 */
export function isQuiet(address: RecipientAddress | null, now: Date): boolean {
  const zones = address ? zonesAt(address) : []
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
