import type { ShopPort, ShopReply } from '../../domain/ports.ts'
import { EgressError } from '../../platform/egress/errors.ts'
import type { LeftLine } from './delivery-queries.ts'
import type { ShopAccess } from './lenient.ts'
import type { ShopKind } from './schema.ts'

/** What a shop gets about an order. */
export interface FulfilmentUpdate {
  kind: ShopKind
  url: string
  access: ShopAccess
  externalId: string
  isNotifyBuyer: boolean
  /** Those that have left and that it does not know. */
  parcels: { number: string; carrier: string }[]
  /** Whether every kit has left. */
  isWhole: boolean
  /** Whether it has nothing but kits. */
  isAllKits: boolean
  gone: LeftLine[]
}

export type UpdateOutcome = { kind: 'told' } | { kind: 'later'; code: string; retryAfterMs?: number | undefined }

/** What has left is no whole product yet. */
export const NOT_WHOLE = 'NOT_WHOLE'

/** A refusal of a shop, to be tried again later. Its code names nobody. */
export class ShopRefusal extends Error {
  readonly code: string
  readonly retryAfterMs: number | undefined

  constructor(code: string, retryAfterMs?: number) {
    super(code)
    this.code = code
    this.retryAfterMs = retryAfterMs
  }
}

/** Asks a shop, and reads its answer as JSON. @throws ShopRefusal */
export async function ask(call: ShopPort, input: Parameters<ShopPort>[0]): Promise<unknown> {
  const { status, body, retryAfter } = await reach(call, input)
  if (status < 200 || status > 299) throw new ShopRefusal(`HTTP_${status}`, msOf(retryAfter))
  try {
    return JSON.parse(body)
  } catch {
    throw new ShopRefusal('NOT_JSON')
  }
}

async function reach(call: ShopPort, input: Parameters<ShopPort>[0]): Promise<ShopReply> {
  try {
    return await call(input)
  } catch (error) {
    if (error instanceof EgressError) throw new ShopRefusal(error.code)
    throw error
  }
}

/** Seconds, or a date, which shops do not send. */
const msOf = (retryAfter: string | undefined): number | undefined =>
  retryAfter && /^\d{1,6}(\.\d+)?$/.test(retryAfter.trim()) ? Number(retryAfter) * 1000 : undefined

/** What became of asking a shop. */
export async function outcomeOf(work: () => Promise<void>): Promise<UpdateOutcome> {
  try {
    await work()
    return { kind: 'told' }
  } catch (error) {
    if (error instanceof ShopRefusal) return { kind: 'later', code: error.code, retryAfterMs: error.retryAfterMs }
    throw error
  }
}
