import type { AnswerOf, Kitlane, KitlaneError } from '../../../client/src/index.ts'
import { type Polling, poll, TIMEOUT_MS } from './poll.ts'

export type FeedEvent = AnswerOf<'listEvents'>['data'][number]

export interface Following extends Polling {
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
