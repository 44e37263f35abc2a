import type { Template } from '../suite/http-requests.ts'

/** A shop that takes orders, running. */
export interface Shop {
  name: string
  port: number
  pid: number
  requests: Template[]
  stop(): Promise<void>
}

/** What no program of a shop needs, it does not get: secrets of ours, or a way to report to its maker. */
export const shopEnv = (databaseUrl: string, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  NODE_ENV: 'production',
  DATABASE_URL: databaseUrl,
  MEDUSA_DISABLE_TELEMETRY: 'true',
  VENDURE_DISABLE_TELEMETRY: 'true',
  ...more,
})

/** Requests of a thousand people. */
export const orders = (path: string, body: (n: number) => unknown): Template[] =>
  Array.from({ length: 1000 }, (_, n) => ({ method: 'POST', path, body: JSON.stringify(body(n)) }))
