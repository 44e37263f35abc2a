// Offers orders at a rate over many connections, whatever the answers: in a process of its own, on plain sockets.
import { connect, type Socket } from 'node:net'

export interface Flood {
  port: number
  connections: number
  seconds: number
  /** Requests per second. Without it, each answer triggers a request. */
  rate?: number
  requests: { method: string; path: string; token?: string; body?: string }[]
}

export interface Second {
  accepted: number
  refused: number
}

export interface Flooded {
  /** Answers 2xx per second. */
  goodput: number
  /** Milliseconds from when a request was due, of those that were accepted, and of all others. */
  accepted: { p50: number; p99: number; max: number }
  refused: { p50: number; p99: number; max: number }
  statuses: Record<string, number>
  /** 429 and 503 without Retry-After, other statuses than these and 2xx, and connections that broke. */
  unexpected: number
  /** Requests that were due while every connection was busy, and were dropped after 2 s. */
  unsent: number
  seconds: Second[]
}

const GIVE_UP_MS = 2000

async function flood({ port, connections, seconds, rate, requests }: Flood): Promise<Flooded> {
  const texts = requests.map(({ method, path, token, body = '' }) =>
    Buffer.from(
      `${method} ${path} HTTP/1.1\r\nhost: bench\r\nauthorization: Token ${token}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    ),
  )
  const accepted: number[] = []
  const refused: number[] = []
  const statuses: Record<string, number> = {}
  const bySecond: Second[] = Array.from({ length: seconds }, () => ({ accepted: 0, refused: 0 }))
  let [unexpected, unsent, sent, inFlight] = [0, 0, 0, 0]
  const due: number[] = []
  // In turn: the service closes a new connection on which nothing comes for 10 s.
  const free: ((since: number) => void)[] = []
  const started = performance.now()
  const end = started + seconds * 1000

  function answered(head: string, since: number): void {
    const now = performance.now()
    const status = head.slice(9, 12)
    statuses[status] = (statuses[status] ?? 0) + 1
    const isAccepted = status.startsWith('2')
    const isShed = (status === '429' || status === '503') && /\nretry-after: \d/i.test(head)
    if (!isAccepted && !isShed) unexpected++
    ;(isAccepted ? accepted : refused).push(now - since)
    const second = bySecond[Math.min(seconds - 1, Math.floor((now - started) / 1000))]
    if (second) second[isAccepted ? 'accepted' : 'refused']++
  }

  function open(): Promise<Socket> {
    return new Promise((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
      socket.once('error', reject)
      let received = ''
      let since = 0
      const send = (at: number) => {
        since = at
        inFlight++
        socket.write(texts[sent++ % texts.length] ?? '')
      }
      const rest = () => {
        inFlight--
        const next = rate === undefined && performance.now() < end ? performance.now() : due.shift()
        if (next === undefined) free.push(send)
        else send(next)
      }
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1')
        const body = received.indexOf('\r\n\r\n')
        if (body < 0) return
        const length = Number(/\ncontent-length: (\d+)/i.exec(received)?.[1])
        if (received.length < body + 4 + length) return
        const head = received.slice(0, body)
        received = ''
        answered(head, since)
        rest()
      })
      socket.on('close', () => void unexpected++)
      free.push(send)
    })
  }

  const sockets = await Promise.all(Array.from({ length: connections }, open))
  if (rate === undefined) for (const send of free.splice(0)) send(performance.now())
  const gap = 1000 / (rate ?? 1)
  let time = performance.now()
  await new Promise<void>((resolve) => {
    const tick = () => {
      const now = performance.now()
      if (now >= end) {
        unsent += due.splice(0).length
        if (inFlight === 0 || now > end + 15_000) return resolve()
      } else if (rate !== undefined) {
        for (; time <= now; time += gap) due.push(time)
        while (free.length > 0 && due.length > 0) free.shift()?.(due.shift() ?? now)
        while ((due[0] ?? now) < now - GIVE_UP_MS) unsent += due.shift() === undefined ? 0 : 1
      }
      setTimeout(tick, 1)
    }
    tick()
  })
  unexpected += inFlight
  for (const socket of sockets) {
    socket.removeAllListeners('close')
    socket.destroy()
  }
  return {
    goodput: accepted.length / seconds,
    accepted: spreadOf(accepted),
    refused: spreadOf(refused),
    statuses,
    unexpected,
    unsent,
    seconds: bySecond,
  }
}

function spreadOf(all: number[]) {
  const sorted = all.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
  return { p50: at(0.5), p99: at(0.99), max: at(1) }
}

process.on('message', async (order: Flood) => {
  const result = await flood(order)
  process.send?.(result, () => process.disconnect())
})
