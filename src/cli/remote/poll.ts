import type { AnswerOf, Kitlane, KitlaneError } from '../../../client/src/index.ts'

interface Polling {
  signal: AbortSignal
  /** Called when the service stops answering, with the reason, and when it answers again. */
  onOutage(error: KitlaneError | undefined): void
}

/** For one answer. */
export const TIMEOUT_MS = 20_000
// There is no long polling: what happens is seen half a second later, on average.
const POLL_MS = 1000
const MOST_WAIT_MS = 30_000

/** Reads until the signal: at once while there is more, else every second. While the service does not answer, it is asked again. */
export async function* poll<Page extends { hasMore: boolean }>(
  read: () => PromiseLike<Page>,
  { signal, onOutage }: Polling,
): AsyncGenerator<Page, void> {
  for (let failures = 0; !signal.aborted; ) {
    let page: Page
    try {
      page = await read()
    } catch (error) {
      if (signal.aborted) return
      if (!mayPass(error as KitlaneError)) throw error
      if (failures === 0) onOutage(error as KitlaneError)
      const retryAfterMs = (error as KitlaneError).retryAfterMs ?? 0
      await pause(Math.max(retryAfterMs, Math.min(MOST_WAIT_MS, POLL_MS * 2 ** failures)), signal)
      failures++
      continue
    }
    if (failures > 0) onOutage(undefined)
    failures = 0
    yield page
    if (!page.hasMore) await pause(POLL_MS, signal)
  }
}

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

export type FeedEvent = AnswerOf<'listEvents'>['data'][number]

interface Following extends Polling {
  types: readonly string[] | undefined
}

const PAGE = 250

/** Makes what follows the feed from now on. The last event is read before this returns, so what happens after it is seen. */
export async function openFeed(kitlane: Kitlane, following: Following): Promise<AsyncGenerator<FeedEvent, void>> {
  const { data } = await kitlane.events.list({ latest: 'true', size: 1 }, { signal: following.signal })
  return follow(kitlane, data.at(-1), following)
}

async function* follow(
  kitlane: Kitlane,
  begin: FeedEvent | undefined,
  { types, ...polling }: Following,
): AsyncGenerator<FeedEvent, void> {
  const { signal } = polling
  const seen = new Set<string>()
  let after = begin?.id
  /** Events until this time are old: they come again where all are read again. */
  let oldUntil = ''
  const read = async (): Promise<AnswerOf<'listEvents'>> => {
    const query = { size: PAGE, ...(after && { after }), ...(types && { type: types.join(',') }) }
    try {
      return await kitlane.events.list(query, { signal, maxRetries: 0, timeoutMs: TIMEOUT_MS })
    } catch (error) {
      if (signal.aborted || !isCursorGone(error as KitlaneError)) throw error
      // The sandbox was reset, or the order of the last event was deleted: read all that is left, and skip what is old.
      after = undefined
      oldUntil = begin?.timestamp ?? ''
      return read()
    }
  }
  for await (const page of poll(read, polling)) {
    for (const event of page.data) {
      after = event.id
      if (seen.has(event.id) || event.timestamp <= oldUntil) continue
      seen.add(event.id)
      yield event
    }
  }
}

const isCursorGone = ({ code, details }: KitlaneError) =>
  code === 'VALIDATION_FAILED' && details.some(({ path }) => path === 'after')
