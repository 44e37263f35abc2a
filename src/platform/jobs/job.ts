import type { z } from 'zod'
import type { Logger } from '../log.ts'

/**
 * One kind of work that runs later, as one value. Its input is stored in clear, outside of row-level security: ids
 * only, no health data. A handler may run twice, also at the same time: it fences its effect in its own transaction.
 */
export interface JobDefinition<Context, Input extends z.ZodType = z.ZodType> {
  /** `module.verb`; the queue of the same name. */
  name: string
  input: Input
  /** How often it is tried again after the first failure, with a doubling pause. A worker's stop or death counts as one. */
  retryLimit: number
  /** The first pause; doubled each time with jitter. Default 1. */
  retryDelaySeconds?: number
  /** The longest pause. Default one hour. */
  retryDelayMaxSeconds?: number
  /** How long one run may take before it is given to someone else. */
  expireInSeconds: number
  /** A worker that was not heard of for so long is dead, and its job is taken over. At least 10; default 20. */
  heartbeatSeconds?: number
  /** Runs at once in one worker. Default 1. */
  concurrency?: number
  /** Five fields, UTC, with input `{}`: some worker starts it, only one does. */
  cron?: string
  handler(context: Context, input: z.output<Input>): Promise<void>
}

/** Ties the handler's input to the schema. */
export function job<Context, Input extends z.ZodType>(
  definition: JobDefinition<Context, Input>,
): JobDefinition<Context, Input> {
  return definition
}

/** One attempt at one job, from which the app makes the handler's context. */
export interface JobRun {
  id: string
  name: string
  /** 1 for the first. */
  attempt: number
  /** Nobody tries again after this one. */
  last: boolean
  /** Aborted when the claim is lost or the worker must stop. */
  signal: AbortSignal
  log: Logger
}
