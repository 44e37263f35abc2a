import { setTimeout as delay } from 'node:timers/promises'
import type { FaultPlan } from './plan.ts'
import type { Stack } from './stack.ts'

export const faults = [
  ...(['API killed', 'worker killed', 'API rolled', 'worker rolled', 'database killed'] as const),
  ...([
    'database frozen',
    'API cut off',
    'worker cut off',
    'connections broken',
    'mail down',
    'gateway fails',
  ] as const),
  ...(['API clock wrong', 'worker clock wrong'] as const),
]
export type Fault = (typeof faults)[number]

// Without `fail_before`: only after five minutes is another key safe.
const GATEWAY_FAULTS = ['lose_reply', 'fail_after', 'lock_timeout'] as const

/** Does one fault and waits until it is over. The service recovers by itself afterwards. */
export async function strike(stack: Stack, { fault, seconds }: FaultPlan, index: number): Promise<void> {
  const { server, mail, stripe } = stack
  const ms = seconds * 1000
  const node = stack.nodes.filter(({ role }) => fault.startsWith(role === 'api' ? 'API' : 'worker'))[index % 2]
  const isOf = (kind: string) => node !== undefined && fault.endsWith(kind)
  if (isOf('killed')) await node?.kill()
  else if (isOf('rolled')) await node?.roll()
  else if (isOf('cut off')) {
    await node?.proxy.setMode('silent')
    await delay(ms)
    await node?.proxy.setMode('renewed')
  } else if (isOf('clock wrong')) {
    node?.setClock(index % 2 === 0 ? 3 * 24 * 3600 : -2 * 3600)
    await delay(ms)
    node?.setClock(0)
  } else if (fault === 'database killed') {
    await server.kill()
    await delay(ms / 3)
    await server.start()
  } else if (fault === 'database frozen') {
    server.signal('SIGSTOP')
    await delay(ms)
    server.signal('SIGCONT')
  } else if (fault === 'connections broken') {
    for (const { proxy } of stack.nodes) {
      await proxy.setMode('broken')
      await delay(200)
      await proxy.setMode('renewed')
    }
  } else if (fault === 'mail down') {
    for (let refused = 0; refused < 10; refused++)
      mail.faults.push(refused % 2 ? { at: 'answer' } : { at: 'data', code: 451 })
  } else if (fault === 'gateway fails') {
    for (const kind of GATEWAY_FAULTS) stripe.plan({ on: 'POST /v1/payment_intents', fault: kind })
  }
}
