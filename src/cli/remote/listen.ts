import { createInterface } from 'node:readline'
import type { Command } from 'commander'
import { Webhook } from 'standardwebhooks'
import { z } from 'zod'
import { StartError } from '../../domain/errors.ts'
import { eventTypes } from '../../modules/events/event-types.ts'
import { newSecret } from '../../modules/webhooks/secrets.ts'
import { listOf } from '../command.ts'
import { addRemote } from './command.ts'
import { type Connection, isLoopback } from './connect.ts'
import { storedSecret } from './login-file.ts'
import { type FeedEvent, openFeed } from './poll.ts'

const CTRL_C = '\u0003'

// As long as the real sender waits.
const TIMEOUT_MS = 15_000

interface Forwarded {
  /** Undefined if no answer came. */
  status: number | undefined
  durationMs: number
  /** Why no answer came. */
  error: string | undefined
}

/** Posts an event with the body, headers and signature of a webhook. Never throws: an error is part of what it returns. */
async function forward(
  event: FeedEvent,
  { to, secret, signal }: { to: URL; secret: string; signal: AbortSignal },
): Promise<Forwarded> {
  const { id, type, timestamp, data } = event
  const body = JSON.stringify({ type, timestamp, data })
  const now = new Date()
  const begun = performance.now()
  const timeout = AbortSignal.timeout(TIMEOUT_MS)
  const durationMs = () => Math.round(performance.now() - begun)
  try {
    const answer = await fetch(to, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Kitlane-Webhooks/1',
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(id, now, body),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.any([signal, timeout]),
    })
    await answer.arrayBuffer()
    return { status: answer.status, durationMs: durationMs(), error: undefined }
  } catch (error) {
    const reason = timeout.aborted ? `no answer within ${TIMEOUT_MS / 1000} s` : reasonOf(error)
    return { status: undefined, durationMs: durationMs(), error: reason }
  }
}

function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: string } }
  if (cause?.code === 'ECONNREFUSED') return 'nothing listens there'
  if (cause?.code === 'ENOTFOUND') return 'the host is unknown'
  return `no answer${cause?.code ? ` (${cause.code})` : ''}`
}

export function addListenCommand(root: Command): void {
  addRemote(root, {
    name: 'listen',
    summary: 'Forward the events of the sandbox, as signed webhooks, to a program on this machine.',
    options: {
      '--forward <address>': 'where your program takes webhooks, such as http://localhost:3000/hook',
      '--events <types>': 'only these types, separated by commas (default: all that the token may read)',
      '--allow-remote': 'forward to an address that is not on this machine',
    },
    input: z.object({
      forward: z.string().min(1),
      events: listOf.pipe(z.array(z.enum(eventTypes, `must be some of ${eventTypes.join(', ')}`)).min(1)).optional(),
      allowRemote: z.boolean().default(false),
    }),
    example: 'kitlane listen --forward http://localhost:3000/hook --events kit.updated,report.published',
    async run(connection, { forward, events, allowRemote }, { json }) {
      const to = targetOf(forward, allowRemote)
      if (connection.mode === 'live') {
        throw new StartError(
          `This token is for live data of ${connection.business.name}. Only events of the sandbox are forwarded, so that nothing about real people reaches a program that is being tried out. Log in with a sandbox token (kl_test_…).`,
        )
      }
      const secret = process.env.KITLANE_WEBHOOK_SECRET || (await storedSecret(newSecret))
      if (!/^whsec_[\w+/-]{16,}={0,2}$/.test(secret)) {
        throw new StartError('KITLANE_WEBHOOK_SECRET must be whsec_ and at least 16 characters of base64.')
      }
      await listen(connection, { to, types: events, secret, json })
      return undefined
    },
  })
}

function targetOf(text: string, allowRemote: boolean): URL {
  const url = URL.parse(text)
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new StartError('--forward must be an address such as http://localhost:3000/hook.')
  }
  if (!isLoopback(url) && !allowRemote) {
    throw new StartError(
      `${url.hostname} is not this machine. Forward to localhost, or add --allow-remote if the events may go there.`,
    )
  }
  return url
}

interface Listening {
  to: URL
  types: readonly string[] | undefined
  secret: string
  json: boolean
}

/** Forwards events until SIGINT or SIGTERM. A failed one is not sent again by itself: its line says so, and a key sends it. */
async function listen({ kitlane, business, url }: Connection, { to, types, secret, json }: Listening): Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const stop = () => stopping.abort()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop)
  const say = (text: string, value: object) => console.log(json ? JSON.stringify(value) : text)
  const counts = { forwarded: 0, failed: 0 }
  let last: FeedEvent | undefined
  // One at a time, so that they arrive in their order.
  let queue: Promise<void> = Promise.resolve()
  const send = (event: FeedEvent) => {
    queue = queue.then(async () => {
      if (signal.aborted) return
      const sent = await forward(event, { to, secret, signal })
      if (signal.aborted && sent.status === undefined) return
      counts[isTaken(sent) ? 'forwarded' : 'failed']++
      const time = new Date()
      say(lineOf(time, event, sent), { time, type: event.type, id: event.id, ...sent })
    })
    return queue
  }
  const onKey = (key: string) => {
    if (key === CTRL_C || key === 'q') stop()
    else if (key === 'r' && last) void send(last)
    else if (key === 'r') say('No event has come yet.', { note: 'No event has come yet.' })
  }
  let stopKeys: (() => void) | undefined
  try {
    const events = await openFeed(kitlane, {
      types,
      signal,
      onOutage(error) {
        const note = error
          ? `${url} does not answer (${error.status ?? error.code}). Asking again until it does; no event is lost.`
          : `${url} answers again.`
        say(note, { note })
      },
    })
    say(opening(business.name, to, secret), { listening: to.href, business, secret })
    stopKeys = listenForKeys(onKey)
    for await (const event of events) {
      last = event
      await send(event)
    }
    await queue
    say(closing(counts), counts)
  } catch (error) {
    // Stopped before the feed was open.
    if (!signal.aborted) throw error
  } finally {
    stopKeys?.()
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop)
  }
}

/** Calls `onKey` for each key pressed at a terminal, and elsewhere for each line that begins with it. Returns what ends that. */
function listenForKeys(onKey: (key: string) => void): () => void {
  const { stdin } = process
  if (!stdin.isTTY) {
    const lines = createInterface({ input: stdin }).on('line', (line) => onKey(line.trim().charAt(0)))
    return () => {
      lines.close()
      stdin.destroy()
    }
  }
  const onData = (keys: Buffer) => [...keys.toString()].forEach(onKey)
  stdin.setRawMode(true).resume().on('data', onData)
  return () => {
    stdin.off('data', onData).setRawMode(false).pause()
  }
}

const isTaken = ({ status }: Forwarded) => status !== undefined && status >= 200 && status < 300

function opening(business: string, to: URL, secret: string): string {
  const key = process.stdin.isTTY ? 'Press r' : 'Type r and Enter'
  return [
    `Events of the sandbox of ${business} go to ${to.href} from now on.`,
    `They are signed with this secret: ${secret}`,
    `${key} to send the last one again, and Ctrl-C to stop.`,
  ].join('\n')
}

function lineOf(time: Date, { type, id }: FeedEvent, { status, durationMs, error }: Forwarded): string {
  const clock = time.toLocaleTimeString('en-GB')
  return `${clock}  ${type.padEnd(20)}  ${id}  ${status ?? 'failed'}  ${durationMs} ms${error ? `  ${error}` : ''}`
}

function closing({ forwarded, failed }: { forwarded: number; failed: number }): string {
  const events = forwarded === 1 ? '1 event was' : `${forwarded} events were`
  return `Stopped. ${events} taken by your program${failed > 0 ? `, and ${failed} not` : ''}.`
}
