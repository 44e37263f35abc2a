import { isUrgent } from '@kitlane/display/story'
import type { KitRow } from '../kits/queries.ts'
import { stateOf } from '../kits/records.ts'
import { current, exceptionOf, type KitEvent, type LifetimeStatus, standing } from '../kits/rules.ts'
import type { BiomarkerEntry } from '../reports/schema.ts'

export interface KitText {
  title: string
  next: string
}

const nothing = 'There is nothing that you need to do.'
const takeSample =
  'Take your sample as the leaflet in the box describes, and post it on the same day. Monday to Thursday is best: it then does not wait over a weekend.'

const said: Record<KitEvent, KitText> = {
  orderPlaced: { title: 'Your kit is ordered', next: `${nothing} You can take your sample once the kit is here.` },
  kitPreparing: {
    title: 'Your kit is being packed',
    next: `${nothing} You can take your sample once the kit is here.`,
  },
  kitInTransit: { title: 'Your kit is on its way to you', next: 'Please look out for the parcel.' },
  kitDelivered: { title: 'Your kit has arrived', next: takeSample },
  kitRegistered: { title: 'Your kit is registered', next: takeSample },
  sampleInTransit: {
    title: 'Your sample is on its way to the laboratory',
    next: `${nothing} We write to you when it has arrived.`,
  },
  sampleReceived: {
    title: 'Your sample is in the laboratory',
    next: `${nothing} We write to you when your report is ready.`,
  },
  reportReady: { title: 'Your report is ready', next: 'You can read it below.' },
  sampleRejected: {
    title: 'Your sample could not be used',
    next: 'This happens, and says nothing about your health. You will hear from us about a new kit.',
  },
  deliveryException: {
    title: 'The parcel is held up',
    next: 'The carrier reported a problem. We are looking into it, and write to you.',
  },
  collectionException: {
    title: 'The sample could not be taken',
    next: 'You will hear from us about what happens next.',
  },
  registrationException: {
    title: 'We need to check your details',
    next: 'Please do not post your sample yet. Write to us, or wait until you hear from us.',
  },
  canceled: { title: 'This kit was canceled', next: 'Please do not use it.' },
}

const checking: KitText = {
  title: 'Your results are being checked',
  next: `${nothing} We write to you when your report is ready.`,
}
/** Of a kit that is registered: its sample is to be taken. */
export const toPost: KitText = { title: 'Time for your sample', next: takeSample }

/** Of a kit whose person took back the consent before the sample arrived. */
export const withdrawnText: KitText = {
  title: 'You took back your consent',
  next: 'This kit is not tested. Please take no sample, and do not post one.',
}

/** Where a kit is, and what its person does next. */
export function kitText(kit: KitRow): KitText {
  const event = current(stateOf(kit))
  if (event === 'reportReady' && kit.status !== 'published') return checking
  return event === 'kitRegistered' ? toPost : said[event]
}

export interface JourneyStep {
  label: string
  /** ISO time; absent while it has not happened. */
  at?: string
  is: 'done' | 'now' | 'todo'
}

const labels: Record<LifetimeStatus, string> = {
  orderPlaced: 'Kit ordered',
  kitPreparing: 'Kit packed',
  kitInTransit: 'Kit sent to you',
  kitDelivered: 'Kit arrived at your home',
  kitRegistered: 'You registered the kit',
  sampleInTransit: 'Sample posted',
  sampleReceived: 'Sample arrived in the laboratory',
  reportReady: 'Report ready',
  sampleRejected: 'Sample could not be used',
}
const way = ['orderPlaced', 'kitPreparing', 'kitInTransit', 'kitDelivered', 'kitRegistered'] as const
const rest = ['sampleInTransit', 'sampleReceived', 'reportReady'] as const

/** The steps of a kit with when they happened. A report counts once it can be read. */
export function journeyOf(kit: KitRow): JourneyStep[] {
  const state = stateOf(kit)
  const at = standing(state)
  const isRejected = state.progress.sampleRejected !== undefined
  const steps: LifetimeStatus[] = [...way, ...(isRejected ? ([...rest.slice(0, 2), 'sampleRejected'] as const) : rest)]
  const isHeld = exceptionOf(state) !== undefined
  return steps.map((step) => {
    const time = step === 'reportReady' && kit.status !== 'published' ? undefined : state.progress[step]
    if (time === undefined) return { label: labels[step], is: 'todo' }
    return { label: labels[step], at: time, is: step === at && !isHeld ? 'now' : 'done' }
  })
}

type Judged = Pick<BiomarkerEntry, 'state' | 'interpretation' | 'finding' | 'critical'>

const SIDES = { L: 'low', H: 'high', LL: 'low', HH: 'high' } as const
const sideOf = ({ interpretation }: Judged): 'low' | 'high' | undefined =>
  interpretation in SIDES ? SIDES[interpretation as keyof typeof SIDES] : undefined

/** A verdict as one says it: `In the best range`, `A little high`, `Low`. */
export function everydayVerdict(entry: Judged): string {
  const side = sideOf(entry)
  if (entry.finding && entry.state !== 'unknown') return entry.state === 'good' ? 'As expected' : 'Not as expected'
  if (isUrgent(entry)) return `Very ${side ?? 'far outside'}`
  if (entry.state === 'optimal') return side ? `In the best range, ${side}` : 'In the best range'
  if (entry.state === 'good') return side ? `In the normal range, ${side}` : 'In the normal range'
  if (entry.state === 'fair') return side ? `A little ${side}` : 'A little outside'
  if (entry.state === 'poor') return side === 'low' ? 'Low' : side === 'high' ? 'High' : 'Outside the normal range'
  return 'Without a verdict'
}
