import { type Sentence, sentence } from '@kitlane/display/sentence'
import { publicKitType } from '../catalogue/kit-type.ts'

// What stands of a box is what its movements say, in their order.

export const boxStates = ['inStock', 'bound', 'writtenOff'] as const
export type BoxState = (typeof boxStates)[number]

export const reasons = ['damaged', 'lost', 'expired', 'found', 'sample', 'other'] as const
export type Reason = (typeof reasons)[number]

export const kinds = [
  'received',
  'transferred',
  'countedFound',
  'countedMissing',
  'adjusted',
  'bound',
  'unbound',
] as const
export type Kind = (typeof kinds)[number]

/** The part of a box that moves. */
export interface Standing {
  state: BoxState
  place: string
}

export interface Movement {
  kind: Kind
  /** Where the box is after it. */
  place: string
  reason?: Reason | undefined
}

/** A box after a movement; the same value where it changes nothing, undefined where it cannot be. */
export function next(now: Standing | undefined, { kind, place, reason }: Movement): Standing | undefined {
  if (!now) return kind === 'received' ? { state: 'inStock', place } : undefined
  const { state } = now
  switch (kind) {
    case 'received':
      return undefined
    case 'transferred':
      if (state !== 'inStock') return undefined
      return now.place === place ? now : { state, place }
    case 'countedFound':
      if (state === 'bound') return undefined
      return state === 'inStock' && now.place === place ? now : { state: 'inStock', place }
    case 'countedMissing':
      return state === 'inStock' ? { ...now, state: 'writtenOff' } : undefined
    case 'adjusted':
      if (state === 'bound') return undefined
      if (reason === 'found') return state === 'inStock' ? now : { state: 'inStock', place }
      return state === 'writtenOff' ? now : { ...now, state: 'writtenOff' }
    case 'bound':
      return state === 'inStock' ? { ...now, state: 'bound' } : undefined
    case 'unbound':
      return state === 'bound' ? { ...now, state: 'inStock' } : undefined
  }
}

/** What all movements of a box say together. */
export function standingAfter(movements: readonly Movement[]): Standing | undefined {
  let now: Standing | undefined
  for (const movement of movements) now = next(now, movement)
  return now
}

/** Why a movement cannot be. */
export function refusalOf({ state }: Standing): Sentence {
  return state === 'bound'
    ? sentence('This box was packed for a kit: take the shipment back first.')
    : sentence('This box was written off: if it is here, adjust it as found first.')
}

export interface PackedBox extends Standing {
  serial: string
  kitType: string
  expiresOn: string
  kitId: string | null
  minimumDaysAtPacking: number
  registerDaysBeforeExpiry: number
}

const DAY_MS = 24 * 3600 * 1000

/** A day so many days before another. */
export const daysBefore = (day: string, count: number): string =>
  new Date(Date.parse(day) - count * DAY_MS).toISOString().slice(0, 10)

/** Why a box cannot be packed for a kit today; undefined where it can. `kitType` is the kit's. */
export function packingProblem(box: PackedBox, kitType: string, today: string): Sentence | undefined {
  const { serial } = box
  if (box.state === 'bound') return sentence('Box {serial} is on another kit already. Take another box.', { serial })
  if (box.state === 'writtenOff')
    return sentence('Box {serial} was written off. Take another box, or adjust it as found.', { serial })
  if (box.kitType !== kitType)
    return sentence('Box {serial} is of {is}. Take a box of {wanted}.', {
      serial,
      is: publicKitType(box.kitType),
      wanted: publicKitType(kitType),
    })
  if (box.expiresOn < today)
    return sentence('Box {serial} has expired on {date}. Take another box, and write this one off.', {
      serial,
      date: box.expiresOn,
    })
  // One that nobody may register any more is too old, too.
  const days = Math.max(box.minimumDaysAtPacking, box.registerDaysBeforeExpiry)
  if (daysBefore(box.expiresOn, days) < today)
    return sentence('Box {serial} expires on {date}, in less than {days} days. Take another box.', {
      serial,
      date: box.expiresOn,
      days,
    })
  return undefined
}

/** A component of a lot of kits. */
export interface ComponentOfLot {
  component: string
  lot: string
  expiresOn: string
  minimumDaysAtPacking: number
  quarantine: string | null
}

/** What the rules know of a lot of kits. */
export interface LotFacts {
  product: string
  lot: string
  quarantine: string | null
  /** Those that expire first first. */
  components: readonly ComponentOfLot[]
}

/** Why kits of a lot may not be packed today; undefined where they may. */
export function lotProblem({ lot, quarantine, components }: LotFacts, today: string): Sentence | undefined {
  if (quarantine !== null)
    return sentence('Lot {lot} is in quarantine: {reason}. Take another lot.', { lot, reason: quarantine })
  for (const part of components) {
    const names = { lot, component: part.component, of: part.lot }
    if (part.quarantine !== null)
      return sentence('Lot {lot} has {component} of lot {of}, which is in quarantine: {reason}. Take another lot.', {
        ...names,
        reason: part.quarantine,
      })
    if (daysBefore(part.expiresOn, part.minimumDaysAtPacking) < today)
      return sentence('Lot {lot} has {component} of lot {of}, which expires on {date}: too soon. Take another lot.', {
        ...names,
        date: part.expiresOn,
      })
  }
  return undefined
}
