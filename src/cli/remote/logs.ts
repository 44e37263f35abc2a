import type { Command } from 'commander'
import { z } from 'zod'
import type { AnswerOf, QueryOf } from '../../../client/src/index.ts'
import { StartError } from '../../domain/errors.ts'
import { addGroup, wholeNumber } from '../command.ts'
import { addRemote } from './command.ts'
import type { Connection } from './connect.ts'
import { poll, TIMEOUT_MS } from './poll.ts'

type Query = QueryOf<'listRequests'>
type Entry = AnswerOf<'listRequests'>['data'][number]

const PAGE = 250

export function addLogsCommands(root: Command): void {
  const group = addGroup(root, 'logs', 'What your programs asked for, and what they were answered.')
  addRemote(group, {
    name: 'tail',
    summary: 'Follow the API requests of your business in this mode: time, route, status and how long it took.',
    options: {
      '--status <status>': 'only answers with this status, such as 404, or of a class: 4xx',
      '--method <method>': 'only GET, POST, PATCH or DELETE',
      '--path <path>': 'only paths that begin so, such as /orders',
      '--token <token>': 'only requests of this token (tok_…)',
      '--last <number>': 'begin with so many that came before, 250 at most (default: 0)',
    },
    input: z.object({
      status: z
        .string()
        .toLowerCase()
        .regex(/^[1-5](\d\d|xx)$/, 'must be a status such as 404, or a class such as 4xx')
        .optional(),
      method: z
        .string()
        .toUpperCase()
        .pipe(z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], 'must be GET, POST, PATCH or DELETE'))
        .optional(),
      path: z.string().min(1).optional(),
      token: z.string().min(1).optional(),
      last: wholeNumber.pipe(z.number().max(PAGE, `must be ${PAGE} at most`)).default(0),
    }),
    example: 'kitlane logs tail --status 4xx',
    async run(connection, { last, token, ...filter }, { json }) {
      await tail(connection, { ...filter, ...(token && { tokenID: token }) }, { last, json })
      return undefined
    },
  })
}

/** Prints requests until SIGINT or SIGTERM. */
async function tail(
  { kitlane, business, mode, url }: Connection,
  filter: Query,
  { last, json }: { last: number; json: boolean },
): Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  const stop = () => stopping.abort()
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, stop)
  // Notes are no requests: who reads the output of --json gets requests only.
  const note = (text: string) => (json ? console.error(text) : console.log(text))
  const say = (entry: Entry) => console.log(json ? JSON.stringify(entry) : lineOf(entry))
  try {
    const begin = await kitlane.requests.list({ ...filter, latest: 'true', size: Math.max(1, last) }, { signal })
    if (begin.keptDays === 0) throw new StartError('This service keeps no log of requests (REQUEST_LOG_DAYS is 0).')
    note(`Requests of ${business.name} in ${mode === 'live' ? 'live mode' : 'the sandbox'} from now on. Ctrl-C stops.`)
    if (last > 0) begin.data.forEach(say)
    let { after } = begin
    const read = () =>
      kitlane.requests.list({ ...filter, after, size: PAGE }, { signal, maxRetries: 0, timeoutMs: TIMEOUT_MS })
    const onOutage = (error: { status?: number | undefined; code: string } | undefined) =>
      note(
        error
          ? `${url} does not answer (${error.status ?? error.code}). Asking again until it does.`
          : `${url} answers again.`,
      )
    for await (const page of poll(read, { signal, onOutage })) {
      after = page.after
      page.data.forEach(say)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    for (const name of ['SIGINT', 'SIGTERM'] as const) process.off(name, stop)
  }
}

function lineOf({ date, method, path, status, ms, requestID, code, replayed, simulated }: Entry): string {
  const clock = new Date(date).toLocaleTimeString('en-GB')
  const more = [code, replayed && 'replayed', simulated && `simulated ${simulated}`].filter(Boolean)
  return [clock, method.padEnd(6), path ?? 'no such route', status, `${ms} ms`, requestID, ...more].join('  ')
}
