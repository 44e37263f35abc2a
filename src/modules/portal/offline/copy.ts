import { sha256 } from '../../../platform/crypto.ts'
import type { Page, PageAnswer, PageRequest, SetCookie } from '../../../platform/http/pages.ts'
import { type Reader, visitOf } from '../personal/reader.ts'

const COOKIE = 'keep'
// As long as a link.
const COPY_SECONDS = 90 * 24 * 3600

/** Stands for a person in the cookie of a device that stores a report. */
const markOf = ({ realm, customerId }: Reader): string =>
  sha256(`keep ${realm.id} ${customerId}`).toString('base64url').slice(0, 22)

/** Whether this person keeps their report on this device. */
export const keepsCopy = (request: PageRequest, reader: Reader): boolean => request.cookie(COOKIE) === markOf(reader)

/** What remembers that they do, or no longer do. */
export const copyCookie = (reader: Reader | undefined): SetCookie => ({
  name: COOKIE,
  value: reader && markOf(reader),
  maxAgeSeconds: COPY_SECONDS,
})

/**
 * The page, which tells the service worker to drop the copy unless the person who stored it is here: so it ends with signing out, with the
 * visit, with the link, and when somebody else comes.
 */
export const endingCopy = (page: Page): Page => ({
  ...page,
  async handler(request): Promise<PageAnswer> {
    const answer = await page.handler(request)
    if (!('html' in answer) || !page.path.startsWith('/r')) return answer
    const reader = request.cookie(COOKIE) ? await visitOf(request, 'reader') : undefined
    if (reader?.isVerified && keepsCopy(request, reader)) return answer
    return { ...answer, headers: { ...answer.headers, 'kitlane-copy': 'drop' } }
  },
})
