import type { Scope } from '../../../domain/scopes.ts'

export const requestKinds = ['copy', 'erasure'] as const
export type RequestKind = (typeof requestKinds)[number]

export const requestStatuses = ['open', 'granted', 'refused'] as const
export type RequestStatus = (typeof requestStatuses)[number]

const DAY_MS = 86_400_000
/** A month, as Article 12 of the GDPR gives a business to answer. */
export const DAYS_TO_ANSWER = 30
/** So long a person can download a copy that was granted. */
export const DAYS_OF_A_COPY = 30
/** So many a person may make in a day. */
export const REQUESTS_A_DAY = 3

/** What a copy shows its person: what is published, as their pages do. */
export const copyScopes = ['customers:read', 'kits:read', 'orders:read', 'reports:read'] as const satisfies Scope[]

export const answerBy = (requestedAt: Date): Date => new Date(requestedAt.getTime() + DAYS_TO_ANSWER * DAY_MS)
export const dayBefore = (now: Date): Date => new Date(now.getTime() - DAY_MS)

/** Until when the copy of a request can be downloaded; undefined: it cannot. */
export function copyUntil(
  { kind, status, closedAt }: { kind: RequestKind; status: RequestStatus; closedAt: Date | null },
  now: Date,
): Date | undefined {
  if (kind !== 'copy' || status !== 'granted' || closedAt === null) return undefined
  const until = new Date(closedAt.getTime() + DAYS_OF_A_COPY * DAY_MS)
  return until > now ? until : undefined
}
