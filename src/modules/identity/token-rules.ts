import { AppError } from '../../domain/errors.ts'

const DAY_MS = 24 * 3600_000
/** How long a new token is valid unless its creator says otherwise. */
export const TOKEN_MS = 365 * DAY_MS
/** How long the old secret stays valid after a rotation. */
export const OVERLAP_HOURS = { default: 24, max: 7 * 24 } as const

/** What limits the tokens that a caller may make. */
export interface TokenMaker {
  /** When the caller's own rights end; null: never. */
  endsAt: Date | null
  /** The only addresses that the caller itself may be used from. */
  addresses?: { entries: readonly string[] } | undefined
}

/** When a token ends: as asked (null: never), else in a year; no later than its maker. @throws FORBIDDEN */
export function expiryWithin({ endsAt }: TokenMaker, requested: Date | null | undefined, now: Date): Date | null {
  const wanted = requested === undefined ? new Date(now.getTime() + TOKEN_MS) : requested
  if (!endsAt || (wanted && wanted <= endsAt)) return wanted
  if (requested === undefined) return endsAt
  throw new AppError('FORBIDDEN', 'A token cannot outlast the access of its maker')
}

/** Where a token may be used: as asked (null: anywhere), else where its maker may be. @throws FORBIDDEN */
export function addressesWithin(
  { addresses: own }: TokenMaker,
  requested: readonly string[] | null | undefined,
): string[] | null {
  if (!own) return requested ? [...requested] : null
  if (requested === undefined) return [...own.entries]
  if (requested?.every((entry) => own.entries.includes(entry))) return [...requested]
  throw new AppError('FORBIDDEN', 'A token that is bound to addresses cannot make one for other addresses')
}
