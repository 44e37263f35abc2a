import { randomBase62 } from '../../src/domain/ids.ts'
import { CORE } from '../../test/harness/orders.ts'
import type { Business } from './environment.ts'
import type { Template } from './http-requests.ts'

const NAMES = ['Ada', 'Grace', 'Barbara', 'Frances', 'Radia', 'Adele', 'Karen', 'Mary']

/** A thousand order requests as businesses send them, each for another person. */
export function orderRequests(businesses: readonly Business[]): Template[] {
  return Array.from({ length: 1000 }, (_, n) => ({
    method: 'POST',
    path: '/api/v1/create-order',
    token: businesses[n % businesses.length]?.token,
    body: JSON.stringify({
      recipient: {
        first_name: NAMES[n % NAMES.length],
        last_name: `Example ${n}`,
        email: `person${n}@example.test`,
        address: { street1: `${n} Main Street`, city: 'Springfield', state: 'IL', zip: '62701' },
      },
      kit_types: [{ kitType: CORE, quantity: 1 }],
      externalID: `order-${n}`,
      paymentMethod: 'credits',
    }),
  }))
}

/** A new prefix for Idempotency-Keys, so that no two runs share one. */
export const newKeys = (): string => randomBase62(8)
