import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Client } from 'pg'
import { randomFraction } from '../../domain/ids.ts'
import type { Logger } from '../log.ts'
import { createClient } from './server.ts'

export interface Listener {
  /** `heard` receives undefined after a reconnect, since messages may have been missed. */
  on(channel: string, heard: (payload?: string) => void): Promise<void>
  stop(): Promise<void>
}

// Doubles after each failure, with jitter, so that processes do not reconnect in step.
const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 5000
// A connection that only listens does not notice when the server is gone.
const CHECK_EVERY_MS = 10_000
const CHECK_ANSWER_MS = 5000

/**
 * Listens for NOTIFY while the program runs, with at most one connection. `url` must reach PostgreSQL directly: a pooler in
 * transaction mode loses LISTEN.
 */
export async function listen(url: string, log: Logger): Promise<Listener> {
  const channels = new Map<string, (payload?: string) => void>()
  let current: Client | undefined
  const stopping = new AbortController()
  const { signal } = stopping

  const connect = async (): Promise<Client> => {
    const client = createClient(url, { application_name: 'kitlane-listen', query_timeout: CHECK_ANSWER_MS })
    // Without a listener `pg` ends the process. `end` reports that the connection is closed.
    client.on('error', (err) => {
      if (!signal.aborted) log.warn({ err }, 'listening connection lost')
    })
    client.on('notification', ({ channel, payload }) => channels.get(channel)?.(payload))
    try {
      await client.connect()
      for (const channel of channels.keys()) await listenTo(client, channel)
      current = client
      return client
    } catch (err) {
      destroy(client)
      throw err
    }
  }

  const reconnect = async (): Promise<Client | undefined> => {
    for (let pauseMs = FIRST_PAUSE_MS; !signal.aborted; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
      await pause(pauseMs * (0.5 + randomFraction() / 2), signal)
      if (signal.aborted) return undefined
      try {
        return await connect()
      } catch (err) {
        log.warn({ err }, 'cannot listen yet')
      }
    }
    return undefined
  }

  const keepListening = async (first: Client): Promise<void> => {
    for (let client: Client | undefined = first; client; ) {
      await untilLost(client, signal)
      current = undefined
      destroy(client)
      client = await reconnect()
      if (client) for (const heard of channels.values()) heard()
    }
  }

  const listening = keepListening(await connect())
  return {
    async on(channel, heard) {
      channels.set(channel, heard)
      // Without a connection, the next one listens to it.
      if (current) await listenTo(current, channel)
    },
    async stop() {
      stopping.abort()
      await listening
    },
  }
}

const listenTo = (client: Client, channel: string) => client.query(`listen ${client.escapeIdentifier(channel)}`)

/** Resolves when the connection ends, stops answering, or is aborted. */
async function untilLost(client: Client, stop: AbortSignal): Promise<void> {
  const ended = new AbortController()
  client.once('end', () => ended.abort())
  const over = AbortSignal.any([stop, ended.signal])
  for (;;) {
    await pause(CHECK_EVERY_MS, over)
    if (over.aborted) return
    try {
      await client.query('select 1')
    } catch {
      // The caller reconnects, whatever the reason, and logs a failure of that.
      return
    }
  }
}

/** Resolves early, without an error, when aborted. */
const pause = (ms: number, over: AbortSignal) => delay(ms, undefined, { ref: false, signal: over }).catch(() => {})

/** Closes the socket at once: a protocol goodbye would wait for a server that may be gone. */
function destroy(client: Client): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.destroy()
}
