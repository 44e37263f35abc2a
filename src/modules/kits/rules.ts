import type { Sentence } from '@kitlane/display/sentence'
import { AppError, type ErrorDetail } from '../../domain/errors.ts'
import {
  aliases,
  type ExceptionRow,
  exceptionRows,
  type KitException,
  kitExceptions,
  type LifetimeStatus,
  lifecycle,
  lifetimeStatuses,
  type Statuses,
} from './lifecycle.ts'

export type { KitException, LifetimeStatus, Statuses } from './lifecycle.ts'

export type KitEvent = LifetimeStatus | KitException

/** Lifetime status → ISO time of what happened. */
export type Progress = Partial<Record<LifetimeStatus, string>>

export interface KitState extends Statuses {
  progress: Progress
  /** Why it is in an exception, or the sample was rejected. */
  reason?: string
}

/** One change of a kit: what happened, and the kit after it. */
export interface Step {
  event: KitEvent
  state: KitState
}

export interface AdvanceOptions {
  at: Date
  /** Backward too, and out of what is final: the sandbox. */
  force?: boolean
  reason?: string
  /** reportReady while markers are missing. */
  partial?: boolean
  /** reportReady goes straight to published. */
  autoPublish?: boolean
}

const MAX_REASON = 500
const statusByName = new Map<string, KitEvent>([
  ...[...lifetimeStatuses, ...kitExceptions].map((name) => [name, name] as const),
  ...Object.entries(aliases),
])

/** The status that a caller's word means, aliases included; undefined if it does not exist. */
export const parseStatus = (text: string): KitEvent | undefined => statusByName.get(text)

/** Every word that `parseStatus` understands. */
export const statusWords: readonly string[] = [...statusByName.keys()]

const rank = (status: LifetimeStatus): number => lifetimeStatuses.indexOf(status)

const isBetween = (status: LifetimeStatus, first: LifetimeStatus, last: LifetimeStatus): boolean =>
  rank(first) <= rank(status) && rank(status) <= rank(last)

/** The steps that lead to a status, itself included. */
function wayTo(status: LifetimeStatus): LifetimeStatus[] {
  const { after } = lifecycle[status]
  return after ? [...wayTo(after), status] : [status]
}

/** The last lifetime status that happened. */
export function standing(state: KitState): LifetimeStatus {
  return lifetimeStatuses.findLast((status) => state.progress[status] !== undefined) ?? 'orderPlaced'
}

function exceptionRow({ kitStatus, sampleStatus }: Statuses): ExceptionRow | undefined {
  return exceptionRows.find((row) => row.kitStatus === kitStatus && row.sampleStatus === sampleStatus)
}

/** The exception that a kit is in, if any. */
export const exceptionOf = (state: Statuses): KitException | undefined => exceptionRow(state)?.event

/** What a kit is at now: the exception that it is in, else the last lifetime status. */
export const current = (state: KitState): KitEvent => exceptionOf(state) ?? standing(state)

/** What a kit may be moved to without force, in the order of the lifecycle. Empty when its state is final. */
export function allowed(state: KitState): KitEvent[] {
  return [...lifetimeStatuses, ...kitExceptions].filter((to) => mayMove(state, to))
}

/** Final: canceled, a rejected sample, a published report with every marker. */
export const isFinal = (state: KitState): boolean => allowed(state).length === 0

/** Whether a move to `to` would say that the kit was registered, which it is not yet. The sandbox makes a person then. */
export function passesRegistration(state: KitState, to: KitEvent): boolean {
  if (state.progress.kitRegistered !== undefined) return false
  const target = isException(to) ? exceptionFor(state, to).needs : to
  return wayTo(target).includes('kitRegistered')
}

const isException = (event: KitEvent): event is KitException => event in lifecycle === false

/** The row of an exception for where the kit stands: the last one that begins at or before that. */
function exceptionFor(state: KitState, event: KitException): ExceptionRow {
  const rows = exceptionRows.filter((row) => row.event === event)
  const row = rows.findLast(({ from }) => rank(from) <= rank(standing(state)))
  if (!row) throw new Error(`no row for ${event}`)
  return row
}

function mayMove(state: KitState, to: KitEvent): boolean {
  const troubled = exceptionRow(state)
  if (isException(to)) return !troubled && rank(standing(state)) <= rank(exceptionFor(state, to).until)
  if (troubled) return troubled.resume !== undefined && isBetween(to, ...troubled.resume)
  const at = standing(state)
  if (at === 'sampleRejected') return false
  if (at !== 'reportReady') return rank(to) > rank(at)
  if (to === 'reportReady') return state.sampleStatus === 'partiallyResulted' || state.status === 'rejected'
  return to === 'sampleRejected' && state.status !== 'published'
}

/**
 * Plans a move: one step for each thing that happens, the missing ones before `to` with the same date. A date before
 * what happened already counts as that later date. Backward (force) keeps only what leads to `to`; a recovery from an
 * exception dates `to` again.
 * @throws ILLEGAL_TRANSITION with `current` and `allowed`; also for the status that the kit is at.
 */
export function advance(state: KitState, to: KitEvent, options: AdvanceOptions): Step[] {
  const isLegal = mayMove(state, to)
  if (!isLegal && (!options.force || current(state) === to)) throw illegal(state, to)
  return isException(to) ? exceptionSteps(state, to, options) : lifetimeSteps(state, to, options, isLegal)
}

/** Frees a kit whose registration is in doubt: it stands where it stood before anybody registered it. */
export function freed(state: KitState): Step {
  if (exceptionOf(state) !== 'registrationException') {
    throw illegal(state, 'cleared', 'Only a registration that is in doubt can be cleared')
  }
  const { progress } = state
  return happened(progress, standing(state), { at: new Date(0) })
}

/** Takes a rejection back: the kit is where it was before, or at its last step where an earlier release kept no more. */
export function unrejected(state: KitState, before: KitState | null, options: { partial: boolean }): Step {
  if (before) return { event: current(before), state: before }
  const { sampleRejected: _, ...progress } = state.progress
  return happened(progress, standing({ ...state, progress }), { at: new Date(0), ...options })
}

/** The refusal of a move, for callers that have reasons of their own. */
export function illegal(state: KitState, to: string, why?: string | Sentence, details?: ErrorDetail[]): AppError {
  const from = current(state)
  return new AppError('ILLEGAL_TRANSITION', why ?? `A kit that is at ${from} cannot be moved to ${to}`, {
    ...(details && { details }),
    extra: { current: from, allowed: allowed(state) },
  })
}

function lifetimeSteps(state: KitState, to: LifetimeStatus, options: AdvanceOptions, isLegal: boolean): Step[] {
  const way = wayTo(to)
  // A report that was ready before its sample was rejected stays in the progress.
  const passed = isLegal && exceptionOf(state) === undefined ? state.progress : only(state.progress, way)
  const missing = way.filter((status) => passed[status] === undefined)
  if (missing.length > 0) return fill(passed, missing, options)
  if (!isLegal) return [happened(passed, to, options)]
  return fill({ ...passed, [to]: undefined }, [to], options)
}

function exceptionSteps(state: KitState, event: KitException, options: AdvanceOptions): Step[] {
  const { needs, until, keeps = until, kitStatus, sampleStatus, status } = exceptionFor(state, event)
  const at = standing(state)
  const remaining = only(state.progress, wayTo(rank(at) > rank(keeps) ? keeps : at))
  const missing = wayTo(needs).filter((step) => remaining[step] === undefined)
  const before = fill(remaining, missing, options)
  const progress = before.at(-1)?.state.progress ?? remaining
  return [...before, { event, state: { kitStatus, sampleStatus, status, progress, ...why(options) } }]
}

function fill(progress: Progress, missing: readonly LifetimeStatus[], options: AdvanceOptions): Step[] {
  const earlier = Object.values(progress).filter((time) => time !== undefined)
  const time = [options.at.toISOString(), ...earlier].reduce((a, b) => (a > b ? a : b))
  let reached = clean(progress)
  return missing.map((status) => {
    reached = { ...reached, [status]: time }
    return happened(reached, status, options)
  })
}

function happened(progress: Progress, event: LifetimeStatus, options: AdvanceOptions): Step {
  const { kitStatus, sampleStatus, status } = lifecycle[event]
  const state: KitState = { kitStatus, sampleStatus, status, progress }
  if (event === 'reportReady' && options.partial) state.sampleStatus = 'partiallyResulted'
  if (event === 'reportReady' && options.autoPublish) state.status = 'published'
  return { event, state: event === 'sampleRejected' ? { ...state, ...why(options) } : state }
}

const why = ({ reason }: AdvanceOptions) => (reason ? { reason: reason.slice(0, MAX_REASON) } : {})

const only = (progress: Progress, statuses: readonly LifetimeStatus[]): Progress =>
  clean(Object.fromEntries(statuses.map((status) => [status, progress[status]])))

const clean = (progress: Progress): Progress =>
  Object.fromEntries(Object.entries(progress).filter(([, time]) => time !== undefined))
