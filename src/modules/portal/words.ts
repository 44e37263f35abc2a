import type { MessageKey } from '../../domain/translations/translator.ts'
import type { KitRow } from '../kits/queries.ts'
import type { KitRecall } from '../kits/recall-queries.ts'
import { stateOf } from '../kits/records.ts'
import { current, exceptionOf, type KitEvent, type LifetimeStatus, standing } from '../kits/rules.ts'

/** Messages that say where a kit is, and what its person does next. */
export interface KitText {
  title: MessageKey
  next: MessageKey
}

const textOfStep: Record<KitEvent, KitText> = {
  orderPlaced: { title: 'kit.orderPlaced', next: 'kit.notYet.next' },
  kitPreparing: { title: 'kit.kitPreparing', next: 'kit.notYet.next' },
  kitInTransit: { title: 'kit.kitInTransit', next: 'kit.kitInTransit.next' },
  kitDelivered: { title: 'kit.kitDelivered', next: 'kit.takeSample.next' },
  kitRegistered: { title: 'kit.kitRegistered', next: 'kit.takeSample.next' },
  sampleInTransit: { title: 'kit.sampleInTransit', next: 'kit.sampleInTransit.next' },
  sampleReceived: { title: 'kit.sampleReceived', next: 'kit.waitForReport.next' },
  reportReady: { title: 'kit.reportReady', next: 'kit.reportReady.next' },
  sampleRejected: { title: 'kit.sampleRejected', next: 'kit.sampleRejected.next' },
  deliveryException: { title: 'kit.deliveryException', next: 'kit.deliveryException.next' },
  collectionException: { title: 'kit.collectionException', next: 'kit.collectionException.next' },
  registrationException: { title: 'kit.registrationException', next: 'kit.registrationException.next' },
  canceled: { title: 'kit.canceled', next: 'kit.canceled.next' },
}

const checking: KitText = { title: 'kit.checking', next: 'kit.waitForReport.next' }

/** Of a kit whose person took back the consent. Once the sample is there, the laboratory keeps what it did. */
export const withdrawnTextOf = ({ isArrived }: { isArrived: boolean }): KitText => ({
  title: 'kit.withdrawn',
  next: isArrived ? 'email.withdrawn.received' : 'kit.withdrawn.next',
})

/** What a kit waits for, as its person reads it. */
export interface Waiting {
  title: MessageKey
  /** Why it matters, and until when. */
  texts: readonly MessageKey[]
  until?: Date | undefined
  /** What is asked of the person. */
  questions: readonly MessageKey[]
  /** Where they answer. */
  path?: string | undefined
}

const corrected: KitText = { title: 'kit.reportCorrected', next: 'kit.reportCorrected.next' }

const laterVersion: KitText = { title: 'kit.reportReady', next: 'kit.laterVersion.next' }
const hidden: KitText = { title: 'kit.hidden', next: 'kit.hidden.next' }

/**
 * Where a kit is, and what its person does next. `isCorrected`: the report that can be read was changed after it was sent. `hasLater`: a
 * later version of it waits. `isHidden`: it could be read before.
 */
export function kitText(kit: KitRow, { isCorrected = false, hasLater = false, isHidden = false } = {}): KitText {
  const event = current(stateOf(kit))
  if (event === 'reportReady' && (hasLater || isHidden)) return isHidden ? hidden : laterVersion
  if (isCorrected && event === 'reportReady' && kit.status === 'published') return corrected
  if (event === 'sampleRejected' && kit.replacedBy !== null) return rejected
  return event === 'reportReady' && kit.status !== 'published' ? checking : textOfStep[event]
}

const rejected: KitText = { title: 'kit.sampleRejected', next: 'kit.sampleRejected.replaced' }
const stopped: KitText = { title: 'closed.recalled', next: 'closed.recalled.why' }
const untested: KitText = { title: 'email.recalled.sample', next: 'email.recalled.sample.text' }
const held: KitText = { title: 'email.recalled.held', next: 'email.recalled.held.text' }
const samples: readonly KitEvent[] = ['sampleInTransit', 'sampleReceived', 'sampleRejected']

const marked: KitText = { title: 'report.recalled.title', next: 'email.recalled.result.text' }

/** What a recall has to say of a kit; undefined where there is none, or where its report cannot be read. */
export function recallText(
  kit: KitRow,
  recall: KitRecall | undefined,
  { isReadable, isHidden }: { isReadable: boolean; isHidden: boolean },
): KitText | undefined {
  const event = current(stateOf(kit))
  if (recall?.stopsUse && event === 'kitRegistered') return stopped
  if (recall?.rejectsSample && samples.includes(event)) return untested
  if (isReadable) return recall?.marksResults ? marked : undefined
  return recall?.holdsReport && event === 'reportReady' && kit.status !== 'published' && !isHidden ? held : undefined
}

/** Whether the sample of a kit is to be taken and posted. */
export const awaitsSample = (kit: KitRow): boolean => current(stateOf(kit)) === 'kitRegistered'

export interface JourneyStep {
  step: LifetimeStatus
  /** ISO time; absent while it has not happened. */
  at?: string
  is: 'done' | 'now' | 'todo'
}

const way = ['orderPlaced', 'kitPreparing', 'kitInTransit', 'kitDelivered', 'kitRegistered'] as const
const rest = ['sampleInTransit', 'sampleReceived', 'reportReady'] as const

/** The steps of a kit with when they happened. A report counts while it can be read. */
export function journeyOf(kit: KitRow, hasReport = kit.status === 'published'): JourneyStep[] {
  const state = stateOf(kit)
  const at = standing(state)
  const isRejected = state.progress.sampleRejected !== undefined
  const steps: LifetimeStatus[] = [...way, ...(isRejected ? ([...rest.slice(0, 2), 'sampleRejected'] as const) : rest)]
  const isHeld = exceptionOf(state) !== undefined
  return steps.map((step) => {
    const time = step === 'reportReady' && !hasReport ? undefined : state.progress[step]
    if (time === undefined) return { step, is: 'todo' }
    return { step, at: time, is: step === at && !isHeld ? 'now' : 'done' }
  })
}
