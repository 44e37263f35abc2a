import type { Page, PageAnswer } from '../../platform/http/pages.ts'
import type { SharedCounts } from '../../platform/http/shared-counts.ts'
import { Attempts } from '../../platform/http/shared-counts.ts'
import { languageCookie, unitsCookie } from './language.ts'
import { endingCopy, offlineFiles } from './offline/files.ts'
import { readerPages } from './personal/pages.ts'
import { kitPages } from './registration/pages.ts'
import { ICON, stylesheet } from './view/style.ts'

export { neutralTroublePage } from './view/error-page.ts'

const HOUR_MS = 3_600_000
// Of 40 random bits: somebody who guesses 30 an hour finds no kit. A person mistypes, which the check character tells.
const UNKNOWN_IDS_PER_HOUR = 30
const LINKS_PER_HOUR = 20

const looks: Page[] = [
  {
    method: 'GET',
    path: '/pages/:version/:file',
    handler: async ({ params }) => ({
      document: {
        contentType: 'text/css; charset=utf-8',
        body: stylesheet((params.file ?? '').slice(0, 6)),
        isForever: true,
      },
    }),
  },
  {
    method: 'GET',
    path: '/pages/icon.svg',
    handler: async () => ({ document: { contentType: 'image/svg+xml', body: ICON, isForever: true } }),
  },
]

/** The page, which keeps the choices that its address makes: the language and the units. */
const keepingChoices = (page: Page): Page => ({
  ...page,
  async handler(request): Promise<PageAnswer> {
    const answer = await page.handler(request)
    const chosen = [languageCookie(request), unitsCookie(request)].filter((one) => one !== undefined)
    if (chosen.length === 0 || 'document' in answer) return answer
    return { ...answer, cookies: [...(answer.cookies ?? []), ...chosen] }
  },
})

/** Every page of the person tested; `more`: those that other modules declare. */
export function recipientPages(shared: SharedCounts, more: readonly Page[]): Page[] {
  const perHour = (kind: string, limit: number) => new Attempts({ kind, limit, windowMs: HOUR_MS, shared })
  const [unknown, linkRequests] = [perHour('unknown kits', UNKNOWN_IDS_PER_HOUR), perHour('links', LINKS_PER_HOUR)]
  return [
    ...[...kitPages(unknown), ...readerPages(linkRequests), ...more].map(keepingChoices).map(endingCopy),
    ...offlineFiles,
    ...looks,
  ]
}
