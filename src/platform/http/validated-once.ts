import { AppError } from '../../domain/errors.ts'
import { type IdempotencyKey, type KeyStore, once } from './idempotency.ts'
import type { Input } from './route.ts'
import type { WireAnswer } from './wire.ts'

type AnyInput = Input<unknown, unknown, unknown>

interface Keyed {
  key: IdempotencyKey
  refused(err: AppError): WireAnswer
  inStore(step: (store: KeyStore) => Promise<WireAnswer>): Promise<WireAnswer>
}

/**
 * Validates a request. What is wrong with the request itself stays wrong, so that refusal is the answer of its key: sent again
 * it is replayed, and a corrected request takes a new key.
 */
export async function validatedOnce(
  validating: () => Promise<AnyInput>,
  keyed: Keyed | undefined,
): Promise<{ input: AnyInput } | { answer: WireAnswer }> {
  try {
    return { input: await validating() }
  } catch (err) {
    if (!keyed || !(err instanceof AppError) || err.code !== 'VALIDATION_FAILED') throw err
    const stored = await keyed.inStore((store) => once(store, keyed.key, async () => keyed.refused(err), keyed.refused))
    return { answer: stored }
  }
}
