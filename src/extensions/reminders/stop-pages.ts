import * as audit from '../../modules/audit/service.ts'
import { speechOf } from '../../modules/portal/language.ts'
import { neutralPaper, type Paper, paperOf } from '../../modules/portal/paper.ts'
import { page } from '../../modules/portal/view/layout.ts'
import type { SystemTx, Tx } from '../../platform/database/tx.ts'
import { type Html, html } from '../../platform/http/html.ts'
import type { Page, PageAnswer, PageRequest } from '../../platform/http/pages.ts'
import { hashToken } from '../../platform/tokens.ts'
import { type FoundReminder, insertStop, selectByHash } from './queries.ts'

/** The reminder whose e-mail had this secret in its link; undefined for an unknown one. */
const findReminder = (tx: SystemTx, secret: string): Promise<FoundReminder | undefined> =>
  selectByHash(tx, hashToken(secret))

/** Sends no more reminders about the kit; after one of a further test, none of further tests to that person. */
async function stopReminders(tx: Tx, reminder: FoundReminder): Promise<void> {
  if (!(await insertStop(tx, reminder))) return
  const details = { of: reminder.stage === 'retest' ? 'person' : 'kit' }
  await audit.record(tx, [{ action: 'reminders.stopped', objectType: 'kit', objectId: reminder.kitId, details }])
}

/** Asks whether reminders are to stop, about a kit or of further tests; `path` is where the answer goes. */
function stopPage(paper: Paper, { of, path }: { of: 'kit' | 'person'; path: string }): Html {
  const { t } = paper
  const title = t('stop.title')
  return page({
    title,
    paper,
    body: html`<h1>${title}</h1>
<p>${t(`stop.ask.${of}`)}</p>
<form method="post" action="${path}"><button class="button">${t('stop.button')}</button></form>`,
  })
}

const resultPage = (paper: Paper, key: 'stop.done' | 'stop.unknown'): Html => {
  const title = paper.t(key)
  return page({ title, paper, body: html`<h1>${title}</h1>\n<p>${paper.t(`${key}.text`)}</p>` })
}

const stoppedPage = (paper: Paper): Html => resultPage(paper, 'stop.done')
const unknownStopPage = (paper: Paper): Html => resultPage(paper, 'stop.unknown')

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
