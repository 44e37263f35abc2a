import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Claimed } from '../../src/modules/webhooks/delivery/claim-queries.ts'
import { deliver } from '../../src/modules/webhooks/delivery/deliver.ts'
import { DispatchQueue } from '../../src/modules/webhooks/delivery/dispatch-queue.ts'
import { newSecret } from '../../src/modules/webhooks/secrets.ts'
import { manualClock } from '../../src/platform/clock.ts'
import { createEgress } from '../../src/platform/egress/client.ts'
import { createLogger } from '../../src/platform/log.ts'
import { httpReceiver } from '../harness/receivers.ts'

const delivery = (url: string): Claimed => ({
  realmId: 1,
  id: 'del_1',
  endpointId: 'we_1',
  eventId: 'evt_1',
  eventType: 'order.created',
  attempt: 1,
  url,
  occurredAt: new Date(0),
  data: '{}',
  payload: 'full',
  secret: Buffer.from('x'),
  oldSecret: null,
  ordered: false,
  rateLimit: null,
})

/** Sends a webhook, and does something while its host name is looked up. Returns the timestamps that arrived. */
async function sendWhile(happens: (clock: ReturnType<typeof manualClock>) => void, isHeld = () => true) {
  const arrived: { timestamp: number; isSigned: boolean }[] = []
  const signer = new Webhook(newSecret())
  const receiver = await httpReceiver(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const [id, seconds] = [String(request.headers['webhook-id']), Number(request.headers['webhook-timestamp'])]
    const signature = signer.sign(id, new Date(seconds * 1000), Buffer.concat(chunks).toString())
    arrived.push({ timestamp: seconds * 1000, isSigned: signature === request.headers['webhook-signature'] })
    response.end()
  })
  const clock = manualClock(new Date('2026-01-01T00:00:00Z'))
  const resolver = async () => {
    happens(clock)
    return [{ address: '127.0.0.1', family: 4 as const }]
  }
  const log = createLogger({ level: 'silent' })
  const egress = createEgress({ allowLoopback: true, allowedPorts: [receiver.port], resolver, log })
  try {
    const url = `http://localhost:${receiver.port}/`
    const receipt = await deliver(egress, () => signer, delivery(url), { clock, isHeld })
    return { receipt, arrived, now: clock.now().getTime() }
  } finally {
    await egress.close()
    await receiver.stop()
  }
}

describe('a process that stands still between signing a webhook and sending it', () => {
  it('signs it again: it arrives once, with the time of its sending', async () => {
    const { receipt, arrived, now } = await sendWhile((clock) => clock.advance(30_000))
    expect(receipt).toMatchObject({ status: 200, error: null })
    expect(arrived).toEqual([{ timestamp: now, isSigned: true }])
  })

  it('sends nothing where another process may have taken it over meanwhile', async () => {
    let held = true
    const { receipt, arrived } = await sendWhile(
      () => {
        held = false
      },
      () => held,
    )
    expect([receipt, arrived]).toEqual([undefined, []])
  })
})

describe('the deliveries that a process has claimed', () => {
  afterEach(() => void vi.useRealTimers())

  it('are no longer its own, and their lease is not extended, once it stood still for longer than that', () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const queue = new DispatchQueue()
    queue.add([delivery('https://one.example/')], false)
    const dispatch = queue.next()
    vi.advanceTimersByTime(3000)
    expect([dispatch?.isHeld(8000), queue.heldFor(2000, 8000).length]).toEqual([true, 1])
    vi.advanceTimersByTime(8000)
    expect([dispatch?.isHeld(8000), queue.heldFor(2000, 8000).length]).toEqual([false, 0])
  })
})
