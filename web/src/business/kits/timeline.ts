import type { KitDetail, KitEvent } from '../../api/shapes.ts'
import { eventLabel, stages } from '../words.ts'

export interface TimelineStep {
  event: KitEvent
  label: string
  state: 'done' | 'current' | 'late' | 'trouble' | 'open'
  at?: string
  by?: string
  reason?: string
  /** What to expect, or what to do. */
  hint?: string
}

const speakers = {
  operator: 'said by the warehouse',
  laboratory: 'said by the laboratory',
  carrier: 'said by the carrier',
  recipient: 'said by the person',
  business: 'said by your team',
  system: 'filled in when a later step was told',
} as const

const reportLabels = {
  inReview: 'Report in review',
  published: 'Report published',
  rejected: 'Report rejected',
} as const

const remedies: Partial<Record<KitEvent, string>> = {
  deliveryException: 'Check the address with the person. If the parcel is lost, replace the kit: it is free.',
  collectionException: 'The sample could not be taken or used. Replace the kit: it is free.',
  registrationException:
    'The date of birth does not fit the person with this e-mail. Correct the person and register the kit again, or free the box for somebody else.',
  sampleRejected: 'The laboratory could not use the sample. Replace the kit: it is free.',
}

/** What happened in its order, then the stages that are still to come. */
export function stepsOf({ kit, timeline, next }: KitDetail): TimelineStep[] {
  const happened = timeline.map((entry, index): TimelineStep => {
    const isLast = index === timeline.length - 1
    const isTrouble = remedies[entry.type] !== undefined || entry.type === 'canceled'
    return {
      event: entry.type,
      label: entry.report ? reportLabels[entry.report] : eventLabel(entry.type),
      state: isTrouble ? 'trouble' : isLast && next ? 'current' : 'done',
      at: entry.at,
      by: speakers[entry.by],
      reason: entry.reason,
      hint: isTrouble && isLast && !kit.replacedBy ? remedies[entry.type] : undefined,
    }
  })
  if (next === undefined) return happened
  return [...happened, ...toCome(next, new Set(timeline.map(({ type }) => type)))]
}

function toCome(next: NonNullable<KitDetail['next']>, seen: Set<KitEvent>): TimelineStep[] {
  const from = stages.findIndex(({ type }) => type === next.type)
  return stages
    .slice(from)
    .filter(({ type }) => type !== 'sampleRejected' && (type === next.type || !seen.has(type)))
    .map(({ type, label }): TimelineStep => {
      if (type !== next.type) return { event: type, label, state: 'open' }
      return { event: type, label, state: next.lateSince ? 'late' : 'open', hint: expectation(next) }
    })
}

function expectation({ usuallyDays, lateSince }: NonNullable<KitDetail['next']>): string | undefined {
  if (usuallyDays === undefined) return undefined
  const usual = `usually ${usuallyDays === 1 ? '1 day' : `${usuallyDays} days`}`
  return lateSince ? `Late: ${usual}` : `Next, ${usual}`
}
