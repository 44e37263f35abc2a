import type { Clock } from '../../platform/clock.ts'
import { Attempts } from '../../platform/http/attempts.ts'
import type { Page } from '../../platform/http/pages.ts'
import { readerPages } from './personal/pages.ts'
import { kitPages } from './registration/pages.ts'
import { ICON, stylesheet } from './view/style.ts'

export { troublePage } from './view/error-page.ts'

const HOUR_MS = 3_600_000
// Of 40 random bits: whoever guesses 30 an hour finds no kit. A person mistypes, which the check character tells.
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

/** Every page of this module. */
export function recipientPages(clock: Clock): Page[] {
  const perHour = (limit: number) => new Attempts({ limit, windowMs: HOUR_MS, clock })
  return [...kitPages(perHour(UNKNOWN_IDS_PER_HOUR)), ...readerPages(perHour(LINKS_PER_HOUR)), ...looks]
}
