import type { KitDetail, KitEvent } from '../../api/shapes.ts'
import { t } from '../../language/t.ts'
import { isWithdrawn, personOf, stepLabel, stepOf, WITHDRAWN } from './kit-standing.ts'
import { stages } from './labels.ts'

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

/** Who said so, in words. */
export const speakers = {
  operator: t('reported by the warehouse'),
  laboratory: t('reported by the laboratory'),
  carrier: t('reported by the carrier'),
  recipient: t('reported by the person'),
  business: t('reported by your team'),
  system: t('inferred from a later step'),
} as const

const remedies: Partial<Record<KitEvent, string>> = {
  deliveryException: t('Check the address with the person. If the parcel is lost, replace the kit: it is free.'),
  collectionException: t('The sample could not be taken or used. Replace the kit: it is free.'),
  registrationException: t(
    'The date of birth does not match the person with this e-mail address. Correct the person and register the kit again, or clear the registration so that someone else can register it.',
  ),
  sampleRejected: t('The laboratory could not use the sample. Replace the kit: it is free.'),
}

/** What happened, in order, then the stages to come. */
export function stepsOf({ kit, timeline, next }: KitDetail): TimelineStep[] {
  const person = personOf(kit)
  const registered = timeline.findLastIndex(({ type }) => type === 'kitRegistered')
  // Inferred when the sample arrived first; redundant once the registration itself was reported.
  const happened = timeline.filter(
    ({ type, by }, index) => type !== 'kitRegistered' || index === registered || by !== 'system',
  )
  const here = stepOf(kit)
  const at = happened.findLastIndex(
    ({ type, report }) => type === here.event && (report === undefined || report === here.report),
  )
  const steps = happened.map((entry, index): TimelineStep => {
    const isHere = index === at
    const isEnded = isWithdrawn({ exceptionReason: entry.reason })
    const isTrouble = !isEnded && (remedies[entry.type] !== undefined || entry.type === 'canceled')
    const isMissing = entry.type === 'kitRegistered' && person === 'none' && entry.by === 'system'
    return {
      event: entry.type,
      label: isEnded
        ? WITHDRAWN.label
        : stepLabel(entry.type, { report: entry.report, person: isMissing ? 'none' : 'known' }).label,
      state: isMissing ? 'late' : isTrouble ? 'trouble' : isHere && next ? 'current' : 'done',
      ...(isMissing
        ? { hint: t('The sample came first. Its report waits until someone registers the kit.') }
        : { at: entry.at, by: speakers[entry.by] }),
      reason: entry.reason,
      ...(isTrouble && isHere && !kit.replacedBy && { hint: remedies[entry.type] }),
    }
  })
  if (next === undefined) return steps
  return [...steps, ...toCome(next, new Set(timeline.map(({ type }) => type)))]
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
  return lateSince
    ? t('Late: usually {count, plural, one {# day} other {# days}}', { count: usuallyDays })
    : t('Next, usually {count, plural, one {# day} other {# days}}', { count: usuallyDays })
}
