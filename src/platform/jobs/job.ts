import { z } from 'zod'
import type { Logger } from '../log.ts'

/**
 * One kind of background work, as one value. Its input is stored in clear text, without row-level security: IDs only, no
 * health data. A handler may run twice, even concurrently: it guards its effect in its own transaction.
 */
export interface JobDefinition<Context, Input extends z.ZodType = z.ZodType> extends JobFields<Context, Input> {
  input: Input
}

interface JobFields<Context, Input extends z.ZodType> {
  /** `module.verb`; the queue of the same name. */
  name: string
  /** Retries after the first failure, with a doubling delay. A stopped or dead worker counts as a failure. */
  retryLimit: number
  /** The first delay; doubles each time, with jitter. Default 1. */
  retryDelaySeconds?: number
  /** The longest delay. Default one hour. */
  retryDelayMaxSeconds?: number
  /** How long one run may take before another worker takes over. */
  expireInSeconds: number
  /** A worker without a heartbeat for this long is dead, and another takes over its job. At least 10; default 20. */
  heartbeatSeconds?: number
  /** Concurrent runs in one worker. Default 1. */
  concurrency?: number
  /** A cron expression of five fields, UTC. Exactly one worker starts each run, with input `{}`. */
  cron?: string
  handler(context: Context, input: z.output<Input>): Promise<void>
}

/** Ties the handler's input to the schema. A job of the clock has none. */
export function job<Context, Input extends z.ZodType>(
  definition: JobFields<Context, Input> & { input?: Input },
): JobDefinition<Context, Input> {
  return { ...definition, input: definition.input ?? (z.object({}) as z.ZodType as Input) }
}

/** One attempt at one job. The app builds the handler's context from it. */
export interface JobRun {
  id: string
  name: string
  /** 1 for the first attempt. */
  attempt: number
  /** Whether this is the last attempt. */
  last: boolean
  /** Aborts when the claim is lost or the worker must stop. */
  signal: AbortSignal
  log: Logger
}
