import type { components } from '@kitlane/client'
import { requestIn } from '../../../api/hooks.ts'
import { asProblem, type Problem } from '../../../api/problem.ts'

/** How long a decision can be undone. */
const UNDO_MS = 10_000

export interface Decision {
  reportID: string
  body: components['schemas']['PublishReport']
}

interface Pending extends Decision {
  sendsAt: number
  /** The same decision counts once, however often it is sent. */
  key: string
}

export interface PublishState {
  /** Decided, and not sent yet. */
  pending?: Pending
  /** Being sent. */
  sending?: string
  published?: string
  refused?: { reportID: string; problem: Problem }
}

const LEFT = 'kitlane-publish-left'
const PATH = '/operator/v1/reports/{reportID}/publish'

let state: PublishState = {}
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function change(to: PublishState): void {
  state = to
  for (const listener of listeners) listener()
}

export const publishState = (): PublishState => state

export function onPublishState(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Decides to publish: it is sent when the time to undo is over, or by `flush`. An earlier decision is sent at once. */
export function decide(decision: Decision): void {
  flush()
  change({ pending: { ...decision, sendsAt: Date.now() + UNDO_MS, key: crypto.randomUUID() } })
  timer = setTimeout(flush, UNDO_MS)
}

/** Takes the decision back: nothing was sent. */
export function undo(): void {
  clearTimeout(timer)
  if (state.pending) change({})
}

/** Sends what was decided now. */
export function flush(): void {
  clearTimeout(timer)
  const { pending } = state
  if (!pending) return
  change({ sending: pending.reportID })
  void send(pending)
}

async function send({ reportID, body, key }: Pending): Promise<void> {
  const init = { params: { path: { reportID } }, body, headers: { 'Idempotency-Key': key } }
  const outcome: PublishState = await requestIn(undefined)('post', PATH, init).then(
    () => ({ published: reportID }),
    (reason: unknown) => ({ refused: { reportID, problem: asProblem(reason) } }),
  )
  // Another decision may have been made meanwhile: it stays.
  const { pending } = state
  change({ ...outcome, ...(pending && { pending }) })
}

/** The page goes away: the browser sends the decision after it, and the list says so if it did not arrive. */
function flushAtEnd(): void {
  clearTimeout(timer)
  const { pending } = state
  if (!pending) return
  const { reportID, body, key } = pending
  localStorage.setItem(LEFT, reportID)
  void fetch(PATH.replace('{reportID}', encodeURIComponent(reportID)), {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify(body),
  }).catch(() => undefined)
  change({})
}

addEventListener('pagehide', flushAtEnd)

/** The report whose page was closed within the time to undo; undefined: none. */
export const leftBehind = (): string | undefined => localStorage.getItem(LEFT) ?? undefined
export const forgetLeftBehind = () => localStorage.removeItem(LEFT)
