import { setTimeout as delay } from 'node:timers/promises'
import { Client } from 'pg'
import type { Logger } from '../log.ts'

export interface Listener {
  stop(): Promise<void>
}

const RECONNECT_AFTER_MS = 1000

/**
 * Hears NOTIFY on one channel for as long as the program runs. `url` must reach PostgreSQL directly: a pooler in
 * transaction mode loses LISTEN. `onMessage` gets undefined after a reconnect, since messages may have been missed.
 */
export async function listen(
  url: string,
  channel: string,
  log: Logger,
  onMessage: (payload?: string) => void,
): Promise<Listener> {
  let client: Client | undefined
  let stopped = false

  const connect = async () => {
    const next = new Client({ connectionString: url, application_name: 'kitlane-listen', keepAlive: true })
    next.on('error', (err) => log.warn({ err }, 'listening connection lost'))
    next.on('notification', ({ payload }) => onMessage(payload))
    next.on('end', () => void reconnect())
    await next.connect()
    await next.query(`listen ${next.escapeIdentifier(channel)}`)
    client = next
  }
  const reconnect = async () => {
    while (!stopped) {
      await delay(RECONNECT_AFTER_MS, undefined, { ref: false })
      try {
        if (!stopped) await connect()
        onMessage()
        return
      } catch (err) {
        log.warn({ err }, 'cannot listen yet')
      }
    }
  }
  await connect()
  return {
    async stop() {
      stopped = true
      await client?.end()
    },
  }
}
