import { z } from 'zod'
import { StartError } from '../domain/errors.ts'
import type { Demo } from './demo-file.ts'

const kitType = 'ED1NL4E3L'

const Created = z.object({ orderId: z.string() })
const Order = z.object({ kits: z.tuple([z.object({ kitID: z.string() })]) })
const Kits = z.tuple([z.object({ customerID: z.number() })])
const Customer = z.object({ reports: z.tuple([z.object({ id: z.string() })]) })
const Report = z.object({ details: z.object({ status: z.literal('published') }) })

/** Takes one sandbox order from placement to a published report through the API. Returns its ID. */
export async function playOrder({ baseUrl, sandboxToken }: Pick<Demo, 'baseUrl' | 'sandboxToken'>): Promise<string> {
  async function call<T>(answer: z.ZodType<T>, method: 'GET' | 'POST', path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: {
        authorization: `Token ${sandboxToken}`,
        'content-type': 'application/json',
        // An interrupted tour continues with the same order.
        ...(method === 'POST' && { 'idempotency-key': `kitlane-demo:${path}` }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    if (!response.ok) throw new StartError(`${method} ${path} answered ${response.status}`)
    return answer.parse(await response.json())
  }

  const { orderId } = await call(Created, 'POST', '/create-order', {
    recipient: {
      first_name: 'Dana',
      last_name: 'Example',
      email: 'dana@example.com',
      address: { street1: '100 Main Street', city: 'Springfield', state: 'IL', zip: '62701' },
    },
    kit_types: [{ kitType, quantity: 1 }],
    externalID: 'demo-1',
  })
  const { kits } = await call(Order, 'GET', `/orders/${orderId}`)
  const [{ kitID }] = kits
  await call(z.unknown(), 'POST', `/sandbox/kits/${kitID}/scenario`, { scenario: 'published' })
  const [{ customerID }] = await call(Kits, 'GET', `/kits?kitID=${kitID}`)
  const { reports } = await call(Customer, 'GET', `/customers/${customerID}`)
  await call(Report, 'GET', `/customers/${customerID}/reports/${reports[0].id}`)
  return orderId
}
