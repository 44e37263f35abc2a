import { AppError } from '../../domain/errors.ts'

export interface Line {
  kitType: string
  quantity: number
}

/** Credits needed by kit type: one for each kit. */
export function needed(lines: Iterable<Line>): Map<string, number> {
  const sums = new Map<string, number>()
  for (const { kitType, quantity } of lines) sums.set(kitType, (sums.get(kitType) ?? 0) + quantity)
  return sums
}

/** True when every type is covered: a credit pays only for its own kit type. */
export function covers(available: (kitType: string) => number, demand: ReadonlyMap<string, number>): boolean {
  for (const [kitType, amount] of demand) if (available(kitType) < amount) return false
  return true
}

/** The refusal where credits do not suffice: 400 on a path that allows credits only, else 409. */
export const notEnoughCredits = (status: 400 | 409): AppError =>
  new AppError('NOT_ENOUGH_CREDITS', 'Not enough credits', { status })

export type TransferKind = 'grant' | 'purchase' | 'revoke' | 'order' | 'refund' | 'reserve' | 'capture' | 'release'

/** What a transfer of one credit does to the two balances; the other side of each is `issued` or `spent`. */
export const transferEffects: Record<
  TransferKind,
  { from: string; to: string; available: -1 | 0 | 1; reserved: -1 | 0 | 1 }
> = {
  grant: { from: 'issued', to: 'available', available: 1, reserved: 0 },
  purchase: { from: 'issued', to: 'available', available: 1, reserved: 0 },
  revoke: { from: 'available', to: 'issued', available: -1, reserved: 0 },
  order: { from: 'available', to: 'spent', available: -1, reserved: 0 },
  refund: { from: 'spent', to: 'available', available: 1, reserved: 0 },
  reserve: { from: 'available', to: 'reserved', available: -1, reserved: 1 },
  capture: { from: 'reserved', to: 'spent', available: 0, reserved: -1 },
  release: { from: 'reserved', to: 'available', available: 1, reserved: -1 },
}

/** How a transfer changes what can be spent. */
export const signedAmount = (kind: TransferKind, amount: number): number => transferEffects[kind].available * amount
