import type { RegisterInput } from '../modules/kits/schema.ts'
import type { Address } from '../modules/orders/address-schema.ts'
import type { Delivery } from '../modules/sandbox/results.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Half a year. */
export const DAYS = 182

export interface DemoKit {
  seed: number
  /** Of its order, from 1. */
  number: number
  person: RegisterInput
  address: Address
  kitType: string
  results: Delivery
  /** For which its sample is rejected, where it is. */
  reason: (typeof reasons)[number]
  steps: DemoStep[]
}

export interface DemoStep {
  kit: DemoKit
  /** UTC, in ms. */
  at: number
  does: Does
}

const does = ['order', 'ship', 'deliver', 'register', 'return', 'receive', 'result', 'publish'] as const
type Does = (typeof does)[number] | 'cancel' | 'comeBack' | 'hold' | 'reject'

interface PanelOfDemo {
  kitType: string
  sex: 'M' | 'F' | null
  minAge: number
}

/** After the step before it, in hours: from, to. */
const pause: Record<(typeof does)[number], [number, number]> = {
  order: [0, 0],
  ship: [4, 40],
  deliver: [36, 90],
  register: [3, 160],
  return: [8, 60],
  receive: [30, 80],
  result: [18, 60],
  publish: [2, 40],
}

/** Two hours after which step a kit's way ends early, by its share, and how many days ago at most: older ones were mended. */
const ends: { share: number; after: (typeof does)[number]; does?: Does; days?: number }[] = [
  { share: 0.015, after: 'order', does: 'cancel' },
  // Nobody registers it.
  { share: 0.02, after: 'deliver' },
  { share: 0.05, after: 'ship', does: 'comeBack', days: 25 },
  { share: 0.04, after: 'receive', does: 'reject' },
  { share: 0.1, after: 'receive', does: 'hold', days: 4 },
]

export interface Plan {
  panels: readonly PanelOfDemo[]
  /** UTC, in ms. */
  until: number
  days: number
  seed: number
}

/** On the first day, and on the last. */
const ordersADay = { small: [1, 3], large: [4, 12] } as const

/** The people, orders and steps of one business in the days before `until`, oldest first. The same seed makes the same ones. */
export function kitsOfDemo(plan: Plan): DemoKit[] {
  const { days, until, seed } = plan
  const [first, last] = seed === 1 ? ordersADay.small : ordersADay.large
  const random = randomOf(seed)
  const kits: DemoKit[] = []
  const begin = until - days * DAY_MS
  for (let day = 0; day < days; day++) {
    const usual = first + ((last - first) * day) / days
    // A day without an order could not be told from one that is still to come.
    const count = Math.max(1, Math.round(usual + random() * 2 - 1))
    const times = Array.from({ length: count }, () => Math.floor(random() * 20 * HOUR_MS)).sort((a, b) => a - b)
    for (const time of times) {
      // Whoever ordered within about two months before may order again.
      const known = kits.slice(-Math.round(70 * usual), -Math.round(15 * usual))
      const again = random() < 0.35 ? known[Math.floor(random() * known.length)] : undefined
      kits.push(kitOf(plan, random, { number: kits.length + 1, again, at: begin + day * DAY_MS + time }))
    }
  }
  return kits
}

interface NewKit {
  number: number
  /** An order of the same person. */
  again: DemoKit | undefined
  at: number
}

function kitOf({ panels, until, seed }: Plan, random: () => number, { number, again, at }: NewKit): DemoKit {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T
  const person = again?.person ?? personOf(seed, number, pick, random)
  const fitting = panels.filter(({ sex }) => sex === null || sex === person.sex)
  const dice = random()
  const results: Delivery = dice < 0.25 ? { kind: 'abnormal' } : dice < 0.28 ? { kind: 'partial' } : {}
  const kit: DemoKit = {
    seed,
    number,
    person,
    address: again?.address ?? {
      street1: `${Math.ceil(random() * 900)} ${pick(streets)}`,
      ...pick(cities),
      country: 'US',
    },
    kitType: again?.kitType ?? pick(fitting).kitType,
    results,
    reason: pick(reasons),
    steps: [],
  }
  const end = endOf(random)
  let time = at
  for (const step of does) {
    const [from, to] = pause[step]
    time += (from + random() * (to - from)) * HOUR_MS
    if (time > until) break
    kit.steps.push({ kit, at: Math.floor(time), does: step })
    if (end?.after !== step || time < until - (end.days ?? Number.POSITIVE_INFINITY) * DAY_MS) continue
    const last = Math.floor(time + 2 * HOUR_MS)
    if (end.does && last <= until) kit.steps.push({ kit, at: last, does: end.does })
    break
  }
  // Of the small company somebody has to be called today.
  if (seed === 1 && kit.steps.at(-1)?.does === 'result') kit.results = critical
  return kit
}

const critical: Delivery = { exact: [{ biomarker: 'glucose', result: { value: 512 }, unit: 'mg/dL' }] }

function endOf(random: () => number) {
  let dice = random()
  return ends.find(({ share }) => {
    dice -= share
    return dice < 0
  })
}

function personOf(
  seed: number,
  number: number,
  pick: <T>(from: readonly T[]) => T,
  random: () => number,
): RegisterInput {
  const sex = random() < 0.55 ? 'F' : 'M'
  const firstName = pick(sex === 'F' ? women : men)
  const lastName = pick(lastNames)
  const local = `${firstName}.${lastName}.${seed}${String(number).padStart(4, '0')}`.toLowerCase()
  const born = new Date(
    Date.UTC(1950 + Math.floor(random() * 52), Math.floor(random() * 12), 1 + Math.floor(random() * 28)),
  )
  return { firstName, lastName, email: `${local}@example.com`, dateOfBirth: born.toISOString().slice(0, 10), sex }
}

const reasons = ['qns', 'qns', 'qns', 'hemolysis', 'hemolysis', 'delayed', 'clotted', 'unlabeled'] as const
const women = [
  'Amara',
  'Beatriz',
  'Chloe',
  'Diana',
  'Elif',
  'Fiona',
  'Grace',
  'Hana',
  'Ines',
  'Joanna',
  'Keiko',
  'Leila',
  'Maya',
]
const men = [
  'Adam',
  'Bruno',
  'Caleb',
  'Dmitri',
  'Emeka',
  'Felix',
  'Gabriel',
  'Hugo',
  'Ivan',
  'Jonas',
  'Kofi',
  'Liam',
  'Mateo',
]
const lastNames = [
  ...[
    'Abbott',
    'Barros',
    'Castillo',
    'Dalton',
    'Eriksen',
    'Fischer',
    'Gallo',
    'Hughes',
    'Ibarra',
    'Jansen',
    'Kowalski',
  ],
  ...['Lindgren', 'Moreau', 'Nakamura', 'Okafor', 'Petrov', 'Quinn', 'Rahman', 'Silva', 'Tanaka', 'Usman', 'Walsh'],
]
const streets = ['Main Street', 'Oak Avenue', 'Maple Drive', 'Hill Road', 'Park Lane', 'Cedar Court']
const cities = [
  { city: 'Fresno', state: 'CA', zip: '93721' },
  { city: 'Austin', state: 'TX', zip: '78701' },
  { city: 'Boise', state: 'ID', zip: '83702' },
  { city: 'Columbus', state: 'OH', zip: '43215' },
  { city: 'Denver', state: 'CO', zip: '80202' },
  { city: 'Madison', state: 'WI', zip: '53703' },
  { city: 'Portland', state: 'OR', zip: '97204' },
  { city: 'Raleigh', state: 'NC', zip: '27601' },
  { city: 'Tampa', state: 'FL', zip: '33602' },
]

/** Numbers from 0 to 1, always the same ones for a seed (Marsaglia's xorshift). */
function randomOf(seed: number): () => number {
  let state = Math.imul(seed, 0x9e3779b1) | 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
