import type { Paper } from '../../modules/portal/paper.ts'
import { page } from '../../modules/portal/view/layout.ts'
import { type Html, html } from '../../platform/http/html.ts'

/** Asks whether reminders are to stop, about a kit or of further tests; `path` is where the answer goes. */
export function stopPage(paper: Paper, { of, path }: { of: 'kit' | 'person'; path: string }): Html {
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

const said = (paper: Paper, key: 'stop.done' | 'stop.unknown'): Html => {
  const title = paper.t(key)
  return page({ title, paper, body: html`<h1>${title}</h1>\n<p>${paper.t(`${key}.text`)}</p>` })
}

export const stoppedPage = (paper: Paper): Html => said(paper, 'stop.done')
export const unknownStopPage = (paper: Paper): Html => said(paper, 'stop.unknown')
