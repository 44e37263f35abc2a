import type { AnswerOf, Kitlane, KitlaneError } from '../../../client/src/index.ts'

export type FeedEvent = AnswerOf<'listEvents'>['data'][number]

export interface Following {
  types: readonly string[] | undefined
  signal: AbortSignal
  /** Called when the service stops answering, with the reason, and when it answers again. */
  onOutage(error: KitlaneError | undefined): void
}

// The feed has no long polling: an event is seen half a second after it happened, on average.
const POLL_MS = 1000
const PAGE = 250
const TIMEOUT_MS = 20_000
const MOST_WAIT_MS = 30_000

/** Makes what follows the feed from now on. The last event is read before this returns, so what happens after it is seen. */
export async function openFeed(kitlane: Kitlane, following: Following): Promise<AsyncGenerator<FeedEvent, void>> {
  const { data } = await kitlane.events.list({ latest: 'true', size: 1 }, { signal: following.signal })
  return follow(kitlane, data.at(-1), following)
}

async function* follow(
  kitlane: Kitlane,
  begin: FeedEvent | undefined,
  { types, signal, onOutage }: Following,
): AsyncGenerator<FeedEvent, void> {
  const seen = new Set<string>()
  let after = begin?.id
  /** Events until this time are old: they come again where all are read anew. */
  let oldUntil = ''
  for (let failures = 0; !signal.aborted; ) {
    let page: AnswerOf<'listEvents'>
    try {
      const query = { size: PAGE, ...(after && { after }), ...(types && { type: types.join(',') }) }
      page = await kitlane.events.list(query, { signal, maxRetries: 0, timeoutMs: TIMEOUT_MS })
    } catch (error) {
      if (signal.aborted) return
      if (isCursorGone(error as KitlaneError)) {
        // The sandbox was reset, or the order of the last event was deleted: read all that is left, and skip what is old.
        after = undefined
        oldUntil = begin?.timestamp ?? ''
        continue
      }
      if (!mayPass(error as KitlaneError)) throw error
      if (failures === 0) onOutage(error as KitlaneError)
      const asked = (error as KitlaneError).retryAfterMs ?? 0
      await pause(Math.max(asked, Math.min(MOST_WAIT_MS, POLL_MS * 2 ** failures)), signal)
      failures++
      continue
    }
    if (failures > 0) onOutage(undefined)
    failures = 0
    for (const event of page.data) {
      after = event.id
      if (seen.has(event.id) || event.timestamp <= oldUntil) continue
      seen.add(event.id)
      yield event
    }
    if (!page.hasMore) await pause(POLL_MS, signal)
  }
}

const isCursorGone = ({ code, details }: KitlaneError) =>
  code === 'VALIDATION_FAILED' && details.some(({ path }) => path === 'after')

const mayPass = ({ code, status }: KitlaneError) =>
  code === 'NO_ANSWER' || code === 'TIMED_OUT' || status === 429 || (status !== undefined && status >= 500)

/** Waits, or until the signal. */
const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    signal.addEventListener('abort', done)
    if (signal.aborted) done()
  })
