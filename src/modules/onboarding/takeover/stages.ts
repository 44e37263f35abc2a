import { AppError } from '../../../domain/errors.ts'
import type { LifetimeStatus } from '../../kits/lifecycle.ts'
import { parseStatus } from '../../kits/rules.ts'

/** Where a kit of another vendor may stand, in order. What has results already is not under way. */
export const stages = [
  'kitPreparing',
  'kitInTransit',
  'kitDelivered',
  'kitRegistered',
  'sampleInTransit',
  'sampleReceived',
  'sampleRejected',
] as const satisfies readonly LifetimeStatus[]
export type Stage = (typeof stages)[number]

// What the vendors of docs/vendors.md, their exports and people call them, by letters.
const words: Readonly<Record<Stage, string>> = {
  kitPreparing:
    'ordered orderplaced created submitted processing preparing requisitioncreated awaitingregistration paymentprocessing paymentcomplete',
  kitInTransit: 'shipped intransit outfordelivery dispatched kitdispatched transitcustomer fulfilled',
  kitDelivered: 'delivered withcustomer deliveryfulfilled arrived',
  kitRegistered: 'activated kitactivated awaitingsample awaitingcollection',
  sampleInTransit: 'returned samplereturned sampleshipped transitlab intransittolab',
  sampleReceived:
    'received receivedatlab atlab atthelaboratory inlab deliveredtolab kitarrivedatlab sampleprocessinginlab',
  sampleRejected: 'rejected sampleerror testfailure',
}
const stageByWord = new Map(
  stages.flatMap((stage) => words[stage].split(' ').map((word): [string, Stage] => [word, stage])),
)

const letters = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '')

/** The stage that a word of another vendor means: its last part counts, as of `received.testkit.ordered`. */
export function stageOf(given: string): Stage | undefined {
  const alias = parseStatus(given.trim())
  const own = stages.find((stage) => stage === alias || stage.toLowerCase() === letters(given))
  if (own) return own
  return stageByWord.get(letters(given)) ?? stageByWord.get(letters(given.split('.').at(-1) ?? ''))
}

/** When each stage was reached, as it was given. */
export type Dates = Partial<Record<'orderPlaced' | Stage, string | undefined>>

const columnOf: Readonly<Record<string, string>> = {
  orderPlaced: 'ordered_date',
  kitInTransit: 'shipped_date',
  kitDelivered: 'delivered_date',
  kitRegistered: 'registered_date',
  sampleInTransit: 'sample_shipped_date',
  sampleReceived: 'received_date',
  sampleRejected: 'rejected_date',
}

const refusal = (column: string, sentence: string) =>
  new AppError('VALIDATION_FAILED', `${column}: ${sentence}`, { details: [{ message: sentence, path: column }] })

/** Of a day alone the time is not known, nor its zone: it is compared with the day on which the other was written down. */
const isBefore = (one: { date: string; at: Date }, other: { date: string; at: Date }): boolean =>
  one.date.length > 10 && other.date.length > 10 ? one.at < other.at : one.date.slice(0, 10) < other.date.slice(0, 10)

/**
 * The steps to a stage with their times, oldest first. The stage itself needs a date; one before it that has none is filled in by
 * the lifecycle. @throws VALIDATION_FAILED for dates that contradict each other or the stage
 */
export function planOf(stage: Stage, given: Dates, now: Date): { orderedAt: Date; steps: { to: Stage; at: Date }[] } {
  const way = (['orderPlaced', ...stages] as const).flatMap((step) => {
    const date = given[step]
    return date === undefined ? [] : [{ step, date, at: new Date(date), column: columnOf[step] ?? step }]
  })
  const last = stage === 'kitPreparing' ? 'orderPlaced' : stage
  if (given[last] === undefined) throw refusal(columnOf[last] ?? last, `is missing: a kit at ${stage} needs it`)
  const place = (step: string) => ['orderPlaced', ...stages].indexOf(step)
  for (const [index, { step, at, date, column }] of way.entries()) {
    const before = way[index - 1]
    if (at > now) throw refusal(column, 'is in the future')
    if (place(step) > place(stage)) throw refusal(column, `comes after the status ${stage}`)
    if (before && isBefore({ date, at }, before)) throw refusal(column, `is before ${before.column}`)
  }
  const steps = way.flatMap(({ step, at }) => (step === 'orderPlaced' ? [] : [{ to: step, at }]))
  return {
    orderedAt: way[0]?.at ?? now,
    steps: stage === 'kitPreparing' ? [{ to: stage, at: way[0]?.at ?? now }] : steps,
  }
}
