import type { KitRow } from '../kits/queries.ts'
import type { UndeliveredState } from '../undelivered/decision.ts'

// What a recall does with a kit, by where it is.

export const kinds = ['componentLot', 'kitLot', 'run', 'reagentLot'] as const
export type RecallKind = (typeof kinds)[number]

export const recallStates = ['running', 'done', 'closed'] as const
export type RecallState = (typeof recallStates)[number]

/** How bad it is, as authorities grade it; the operator says it. As texts, a worse one is less. */
export const grades = ['I', 'II', 'III'] as const
export type RecallGrade = (typeof grades)[number]
export const MILDEST: RecallGrade = 'III'

export const actions = ['stopUse', 'rejectSamples', 'holdReports', 'markResults', 'replace', 'retest', 'tell'] as const
export type RecallAction = (typeof actions)[number]

/** What is done unless the operator says otherwise. What is wrong with a run or a reagent is not wrong with a kit. */
export const usualActions: Record<RecallKind, readonly RecallAction[]> = {
  componentLot: ['stopUse', 'rejectSamples', 'holdReports', 'markResults', 'replace', 'tell'],
  kitLot: ['stopUse', 'rejectSamples', 'holdReports', 'markResults', 'replace', 'tell'],
  run: ['holdReports', 'markResults', 'tell'],
  reagentLot: ['holdReports', 'markResults', 'tell'],
}

export const stages = [
  'notPacked',
  'undelivered',
  'withRecipient',
  'registered',
  'sampleUnderWay',
  'atLaboratory',
  'inReview',
  'published',
  'settled',
] as const
export type Stage = (typeof stages)[number]

/** nowhere: what is done about a box that nobody has. isRead: a version of its report can be read while a later one waits. hasLeft: a parcel of it left a warehouse. */
export type StageFacts = Pick<KitRow, 'kitStatus' | 'sampleStatus' | 'status'> & {
  nowhere: UndeliveredState | null
  isRead: boolean
  hasLeft: boolean
}

/** Where a kit is. settled: canceled, or its sample was rejected. */
export function stageOf({ kitStatus, sampleStatus, status, nowhere, isRead, hasLeft }: StageFacts): Stage {
  if (kitStatus === 'canceled' || sampleStatus === 'rejected' || status === 'rejected') return 'settled'
  if (status === 'published' || isRead) return 'published'
  if (status === 'inReview') return 'inReview'
  if (sampleStatus === 'received' || sampleStatus === 'delivered') return 'atLaboratory'
  if (kitStatus === 'collected') return 'sampleUnderWay'
  if (kitStatus === 'preparing' && !hasLeft) return 'notPacked'
  if (nowhere !== null) return 'undelivered'
  return kitStatus === 'registered' || kitStatus === 'registrationException' ? 'registered' : 'withRecipient'
}

/** Whether somebody waits for a box that nobody has: it was to go out again, or a person registered it. */
export const isAwaited = ({ kitStatus, nowhere }: Pick<StageFacts, 'kitStatus' | 'nowhere'>): boolean =>
  nowhere === 'awaitingBox' ||
  nowhere === 'readyToSend' ||
  (kitStatus === 'registered' && nowhere !== 'closed' && nowhere !== 'replaced')

/** What whoever was told of a kit is told once it is found to be right: nothing where another one was sent, and it was not used. */
export function releaseLetter(stage: Stage, isReplaced: boolean): 'box' | 'sample' | 'held' | 'result' | undefined {
  if (stage === 'withRecipient' || stage === 'registered') return isReplaced ? undefined : 'box'
  if (stage === 'sampleUnderWay' || stage === 'atLaboratory') return 'sample'
  if (stage === 'inReview') return 'held'
  return stage === 'published' ? 'result' : undefined
}

/** What is done with a kit, as its business and the report of the recall say it. */
export const deeds = ['stopped', 'rejected', 'held', 'marked', 'replaced', 'told'] as const
export type Deed = (typeof deeds)[number]

export type Letter = 'box' | 'sample' | 'held' | 'result' | 'used'

export interface Effect {
  /** What stands from the moment at which a kit is found. */
  stands?: Extract<Deed, 'stopped' | 'held' | 'marked'>
  /** A later version than the one that can be read is held. */
  isHeld?: true
  isRejected?: true
  isReplaced?: boolean
  /** What its person is told. */
  letter?: Letter
}

/** A sample under way is rejected once it is there: the laboratory has to be seen to have it. */
const table: Record<Stage, (has: (action: RecallAction) => boolean, isAwaited: boolean) => Effect> = {
  notPacked: () => ({}),
  // Nobody has it who could use it. Where nobody waits for it, its business chooses what is sent.
  undelivered: (has, isAwaited) =>
    has('stopUse') ? { stands: 'stopped', isReplaced: isAwaited && has('replace') } : {},
  withRecipient: (has) => unused(has),
  registered: (has) => unused(has),
  sampleUnderWay: (has) =>
    has('rejectSamples') ? { stands: 'stopped', isReplaced: has('replace'), letter: 'sample' } : {},
  atLaboratory: (has) =>
    has('rejectSamples') ? { isRejected: true, isReplaced: has('replace'), letter: 'sample' } : {},
  inReview: (has) => (has('holdReports') ? { stands: 'held', isReplaced: has('retest'), letter: 'held' } : {}),
  published: (has) => ({
    ...(has('markResults') && { stands: 'marked' }),
    isReplaced: has('retest'),
    letter: 'result',
  }),
  settled: () => ({ letter: 'used' }),
}

const unused = (has: (action: RecallAction) => boolean): Effect =>
  has('stopUse') ? { stands: 'stopped', isReplaced: has('replace'), letter: 'box' } : {}

/** What a recall with these actions does with a kit at a stage. */
export function effectOf(
  stage: Stage,
  chosen: readonly RecallAction[],
  { isAwaited = false, isRead = false, hasValues = true } = {},
): Effect {
  // What can be read is not in doubt: only what comes after it.
  const from = stage === 'published' && !hasValues ? 'inReview' : stage
  const { letter, ...rest } = table[from]((action) => chosen.includes(action), isAwaited)
  const isHeld = from === 'published' && isRead && chosen.includes('holdReports')
  const effect = isHeld ? { ...rest, isHeld } : rest
  return letter && chosen.includes('tell') ? { ...effect, letter } : effect
}

/** Names are compared without regard to case and to marks between their words. */
export const plainSubject = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
