import { speechOf } from '../../modules/portal/language.ts'
import { neutralPaper, paperOf } from '../../modules/portal/paper.ts'
import type { Page, PageAnswer, PageRequest } from '../../platform/http/pages.ts'
import { findReminder, stopReminders } from '../reminders/stop.ts'
import { stopPage, stoppedPage, unknownStopPage } from './stop-view.ts'

/** The reminder of the address; a form for one, or that there is none. */
async function withReminder(request: PageRequest, isAnswer: boolean): Promise<PageAnswer> {
  const secret = request.params.secret ?? ''
  const found = /^[\w-]{43}$/.test(secret) && (await request.asSystem((tx) => findReminder(tx, secret)))
  if (!found) return { html: unknownStopPage(neutralPaper(speechOf(request))), status: 404 }
  return request.inRealm(found.realm, 'recipient', async (tx): Promise<PageAnswer> => {
    if (isAnswer) await stopReminders(tx, found)
    const paper = await paperOf(tx, speechOf(request))
    const of = found.stage === 'retest' ? 'person' : 'kit'
    const html = isAnswer ? stoppedPage(paper) : stopPage(paper, { of, path: `/u/${secret}` })
    return { html, image: paper.logoUrl }
  })
}

/** Where reminders are stopped. Opening the page stops nothing: programs that check mail open every link. */
export const stopPages: readonly Page[] = [
  { method: 'GET', path: '/u/:secret', handler: (request) => withReminder(request, false) },
  { method: 'POST', path: '/u/:secret', isOneClick: true, handler: (request) => withReminder(request, true) },
]
