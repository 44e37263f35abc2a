import type { ElrContent } from '@kitlane/lab-reader/elr/message'
import type { Laboratory } from '@kitlane/lab-reader/parse/origin'
import type { Registered } from '../lab-orders/content.ts'
import type { Outcome } from '../lab-orders/decision.ts'
import type { StandingReport } from '../reports/queries.ts'
import type { BiomarkerEntry } from '../reports/schema.ts'
import type { NoticeEntry, Now } from './results.ts'
import type { NoticeState, Reason } from './schema.ts'

/** What a person may send nevertheless: the message says what the laboratory says. */
export const mayBeSent: readonly Reason[] = [
  'incomplete',
  'indeterminate',
  'preliminary',
  'sampleDoubted',
  'sampleRejected',
  'otherSpecimen',
  'notOfKit',
  'changedSince',
  'finalSince',
  'training',
]

const HOUR_MS = 3_600_000

/** Until when a result is to be told: the time runs since it came, or since the rule is on that asks for it. */
export const deadlineOf = (cameAt: Date, withinHours: number, activeSince = ''): Date =>
  new Date(Math.max(cameAt.getTime(), Date.parse(activeSince) || 0) + withinHours * HOUR_MS)

/** What no message can be without: who sends it to whom, who it is of, and what was found. */
export const vitalIn = (problems: readonly string[]): string[] =>
  problems.filter((one) => /^The segments|\b(?:MSH-\d+|PID-[35]|OBR-4|OBX-[235])\b/.test(one))

/** Who was told of, as far as another word of it is a correction. */
export type ToldPerson = Pick<ElrContent['person'], 'firstName' | 'lastName' | 'dateOfBirth' | 'sex'>

/** Whether a correction changed who a person is since an authority was told. Versions before did not keep it. */
export const isOtherPerson = (told: ToldPerson | undefined, now: ToldPerson | undefined): boolean =>
  told !== undefined &&
  now !== undefined &&
  (['firstName', 'lastName', 'dateOfBirth', 'sex'] as const).some((part) => told[part] !== now[part])

/** What an authority was told. */
export interface Said {
  key: string
  state: 'sent' | 'accepted' | 'byHand'
  /** The result, as it was told; null once its person was erased. */
  entry?: NoticeEntry | null
  /** Where the result came from, as it was told. */
  source?: Source | null
  person?: ToldPerson | undefined
  /** By hand: how, and what the authority knew before. Versions before kept it only until the next change. */
  how?: string | undefined
  before?: { said: Said | null; toldAt: string | null; now?: Now } | undefined
}

/** What an authority was told by a message: a person may have told it something else since. */
const messaged = (said: Said | null): Said | null =>
  said?.state === 'byHand' && said.before ? messaged(said.before.said) : said

/** Without what people wrote of it. */
export const withoutWords = (said: Said | null): Said | null =>
  said && {
    ...said,
    how: undefined,
    before: said.before && { ...said.before, said: withoutWords(said.before.said) },
  }

/** What a message says of laboratory, sample and times. */
export type Source = Pick<ElrContent, 'laboratory' | 'specimen' | 'collected' | 'received' | 'resulted'>

/** What a person said of the sample where the laboratory did not. */
export interface Completed {
  specimen?: string | undefined
  collectedDate?: string | undefined
  receivedDate?: string | undefined
}

/** A report, or a kit that has none yet, as far as messages are made of it. */
export type Report = Pick<StandingReport, 'kitId' | 'customerId' | 'collectedDate' | 'resultedDate' | 'origin'> & {
  /** null: its kit has none yet, only what could not be judged. */
  id: string | null
  entries: readonly BiomarkerEntry[]
}

/** All that a message says beside the result. */
export interface Facts extends Pick<ElrContent, 'filler' | 'race' | 'personNumber' | 'isMailing'> {
  person: Registered
  approval: ElrContent['provider']
  place: { country?: string | undefined; state?: string | undefined }
  /** When the sample arrived. */
  arrived: string | null
  laboratories: readonly Laboratory[]
}

/** Where a notice stands. */
export interface Standing {
  state: NoticeState
  reason: Reason | null
  /** What it is about now. */
  key: string
  /** What the authority was told last, or may have been; null: nothing that it has not refused. */
  said: Said | null
  /** A message waits for its answer. */
  isOpen: boolean
}

/** What holds once a person has decided about a doubt of the sample. */
export const undoubted = <T extends Pick<Now, 'key'>>(now: T): T => ({ ...now, key: now.key.replace(/[?~!]+$/, '') })

/**
 * Where a notice stands after what holds now. undefined: there is none. What the authority was told and is right no more is corrected; what
 * it was told and still holds is not told again.
 */
export function next(before: Standing | undefined, now: Now): Standing | undefined {
  const { is, key } = now
  if (!before) {
    if (now.reason === 'abroad') return { state: 'notTold', reason: 'abroad', key, said: null, isOpen: false }
    if (is !== 'notifiable' && is !== 'doubtful') return undefined
    return stood({ state: 'waiting', reason: null, key, said: null, isOpen: false }, now)
  }
  const { said, state } = before
  if (said === null) {
    const isDecided = before.reason !== null && decidedBefore.includes(before.reason)
    if (before.key === key && (state === 'refused' || state === 'due' || isDecided)) return before
    if (before.reason === 'decided')
      return is === 'not' || is === 'gone' ? { ...before, key } : waiting(before, now, since(before.key, key))
    if (is === 'notifiable' || is === 'doubtful') return stood(before, now)
    // The same answer, which no rule asks for any more, was not corrected.
    const isSame = undoubted(before).key === undoubted(now).key
    const reason = is === 'not' && !isSame ? 'corrected' : is === 'gone' ? 'withdrawn' : (now.reason ?? 'elsewhere')
    return { ...before, key, state: 'notTold', reason }
  }
  if (is === 'elsewhere' || before.key === key) return before
  // It is as the authority knows it again.
  if (said.key === key) return settled({ ...before, key })
  if (said.state === 'byHand') return waiting(before, now, since(said.key, key))
  return is === 'doubtful' ? stood(before, now) : { ...before, key, state: 'due', reason: null }
}

export const decidedBefore: readonly Reason[] = ['decided', 'changedSince', 'finalSince']

/** What happened to a result after somebody told it or decided about it: the last part of its key says whether it was preliminary. */
const since = (before: string, key: string): Reason =>
  before.endsWith('true]') && before.replace(/true\]$/, 'false]') === key ? 'finalSince' : 'changedSince'

const waiting = (before: Standing, { key }: Now, reason: Reason): Standing => ({
  ...before,
  key,
  state: 'waiting',
  reason,
})

function stood(before: Standing, now: Now): Standing {
  if (now.is === 'doubtful') return waiting(before, now, now.reason ?? 'unreadable')
  return { ...before, key: now.key, state: 'due', reason: null }
}

/** What an authority is told by a message or a person. */
export const saidOf = (
  {
    now: { key },
    entry,
    source = null,
    person,
  }: { now: Now; entry: NoticeEntry | null; source?: Source | null; person?: ToldPerson | null },
  state: Said['state'],
): Said => ({ key: undoubted({ key }).key, state, entry, source, ...(person && { person }) })

/** Where a notice stands about which nothing more is to be said, once its message is answered. */
function settled(row: Standing): Standing {
  return { ...row, state: row.isOpen ? 'due' : (row.said?.state ?? 'due'), reason: null }
}

/** OBX-11: the final result after a preliminary one corrects nothing, and neither does the first message after what a person told. */
export function statusOf({
  now,
  said: told,
  entry,
}: {
  now: Now
  said: Said | null
  entry: NoticeEntry
}): 'F' | 'P' | 'C' | 'W' {
  if (now.is === 'gone') return 'W'
  const said = messaged(told)
  return said === null || said.entry?.preliminary ? (entry.preliminary ? 'P' : 'F') : 'C'
}

/** Where a notice stands once its message is answered. `prior`: what the authority was told before it. */
export function answered(before: Standing, now: Now, outcome: Outcome, prior: Said | null): Standing {
  const { said } = before
  if (!said) return before
  const isOpen = false
  if (outcome !== 'refused') {
    const row: Standing = { ...before, isOpen, said: { ...said, state: outcome === 'accepted' ? 'accepted' : 'sent' } }
    return before.key === said.key ? settled(row) : row
  }
  if (before.key === said.key) return { ...before, isOpen, said: prior, state: 'refused', reason: 'refused' }
  const unsaid: Standing = { ...before, isOpen, said: prior, key: said.key, state: 'waiting', reason: null }
  return next(unsaid, now) ?? unsaid
}
