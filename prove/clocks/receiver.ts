import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { httpReceiver } from '../../test/harness/receivers.ts'
import type { Random } from '../random.ts'

/** An endpoint that takes its time, fails one first attempt in ten, and notes when what came. */
export interface WatchfulReceiver {
  url: string
  secret: string
  /** When each attempt arrived, by webhook-id, in milliseconds. */
  arrivals: Map<string, number[]>
  /** How often each was answered with 200. */
  accepted: Map<string, number>
  /** Attempts that came while another of the same webhook was being answered. */
  overlapping: number
  /** Timestamps more than a minute off, or signatures that do not verify. */
  stale: number
  stop(): Promise<void>
}

const MINUTE_S = 60

export async function watchfulReceiver(random: Random): Promise<WatchfulReceiver> {
  const underWay = new Set<string>()
  const receiver = await httpReceiver(async (request, response) => {
    const id = String(request.headers['webhook-id'])
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const before = self.arrivals.get(id) ?? []
    self.arrivals.set(id, [...before, performance.now()])
    if (underWay.has(id)) self.overlapping++
    underWay.add(id)
    const sentAt = Number(request.headers['webhook-timestamp'])
    if (Math.abs(Date.now() / 1000 - sentAt) > MINUTE_S || !verifies(Buffer.concat(chunks).toString(), request.headers))
      self.stale++
    await delay(random.between(200, 600))
    underWay.delete(id)
    const fails = before.length === 0 && random.fraction() < 0.1
    if (!fails) self.accepted.set(id, (self.accepted.get(id) ?? 0) + 1)
    response.writeHead(fails ? 500 : 200).end()
  })
  const verifies = (text: string, headers: object): boolean => {
    try {
      new Webhook(self.secret).verify(text, headers as Record<string, string>)
      return true
    } catch {
      return false
    }
  }
  const self: WatchfulReceiver = {
    url: `http://127.0.0.1:${receiver.port}/hook`,
    secret: '',
    arrivals: new Map(),
    accepted: new Map(),
    overlapping: 0,
    stale: 0,
    stop: receiver.stop,
  }
  return self
}
