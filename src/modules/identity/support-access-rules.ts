import type { SupportAccessRow } from './support-access-queries.ts'

export const SUPPORT_MINUTES = { default: 60, max: 8 * 60 } as const
/** How long a request waits for the business. */
export const ANSWER_MS = 24 * 3600_000

export const supportStates = ['waiting', 'active', 'ended', 'refused', 'withdrawn', 'unanswered'] as const
export type SupportState = (typeof supportStates)[number]

type Times = Pick<SupportAccessRow, 'answerBy' | 'startedAt' | 'endsAt' | 'endedAt' | 'endedBy'>

/** Time alone ends an access: whether the job that notes it has run makes no difference. */
export function stateOf({ answerBy, startedAt, endsAt, endedAt, endedBy }: Times, now: Date): SupportState {
  if (startedAt !== null) return endedAt === null && endsAt !== null && endsAt > now ? 'active' : 'ended'
  if (endedBy === 'business') return 'refused'
  if (endedBy === 'operator') return 'withdrawn'
  return endedAt === null && answerBy !== null && answerBy > now ? 'waiting' : 'unanswered'
}
