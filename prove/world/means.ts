import type { Reply } from '../../test/harness/caller.ts'
import type { WorldClient } from './client.ts'
import { type Lived, type LivedKit, madeKit } from './model.ts'
import type { Stack } from './stack.ts'

/** By what a journey acts. */
export interface Means {
  stack: Stack
  client: WorldClient
  /** As the business in its realm. */
  change: Change
  /** As the operator's staff. */
  operate: Change
}
type Change = (method: string, path: string, body?: unknown, options?: ChangeOptions) => Promise<Reply>
interface ChangeOptions {
  expected?: number
  headers?: Record<string, string>
}

export function meansOf({ plan, realm }: Lived, stack: Stack, client: WorldClient): Means {
  let step = 0
  const as = (who: 'business' | 'operator'): Change => {
    return async (method, path, body, { expected, headers = {} } = {}) => {
      const key = `${plan.name}-${++step}`
      const send = () =>
        who === 'operator'
          ? client.operator(method, path, body, key, headers)
          : client.business(realm, method, path, body, key)
      const reply = await send()
      const isRight = expected === undefined ? reply.status < 300 : reply.status === expected
      if (!isRight)
        throw new Error(`${plan.name}: ${method} ${path} answered ${reply.status} ${reply.text.slice(0, 300)}`)
      if (plan.isRepeated && reply.status < 300) {
        const again = await send()
        if (again.status !== reply.status || again.text !== reply.text)
          client.watch.breaches.push(
            `${plan.name}: ${method} ${path} again answered ${again.status} ${again.text.slice(0, 200)}, not ${reply.text.slice(0, 200)}`,
          )
      }
      return reply
    }
  }
  return { stack, client, change: as('business'), operate: as('operator') }
}

/** Where a kit is now, as it was acknowledged. */
export function reach(lived: Lived, kit: LivedKit, stage: LivedKit['stage']): void {
  kit.stage = stage
  lived.stage = stage
}

/** A kit goes out in place of another one, once: a second one is refused. */
export async function replacedBy(lived: Lived, kit: LivedKit, id: string, { change }: Means): Promise<LivedKit> {
  const fresh = { ...madeKit(id, kit.orderId), replacementFor: kit.id }
  kit.replacedBy = id
  lived.orders.find((order) => order.id === kit.orderId)?.kits.push(fresh)
  lived.stage = fresh.stage
  await change('POST', `/kits/${kit.id}/replacement`, { reason: 'Once more' }, { expected: 409 })
  return fresh
}
