import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { Paper } from '../paper.ts'
import type { RegistrationStatus } from '../registration/rules.ts'
import { page } from './layout.ts'

type Closed = Exclude<RegistrationStatus, 'open'>

/** A kit that cannot be registered, without a word of whose it is. */
export function closedPage(why: Closed, paper: Paper): Html {
  const { t } = paper
  const reasons: Record<Closed, Part> = {
    registered: html`<p>${t('closed.registered.you')}</p>
<p>${t('closed.registered.lost')}</p>
<a class="button" href="/r/new">${t('entry.newLink')}</a>
<p class="hint">${t('closed.registered.other')}</p>`,
    canceled: html`<p>${t('closed.canceled.why')}</p>
<p>${t('closed.canceled.next')}</p>`,
    unpaid: html`<p>${t('closed.unpaid.why')}</p>
<p>${t('closed.unpaid.next')}</p>`,
    closed: html`<p>${t('closed.closed.why')}</p>`,
  }
  const title = t(`closed.${why}`)
  return page({ title, paper, body: html`<h1>${title}</h1>${reasons[why]}` })
}

/** Registering was refused for a reason that only a person can look into. */
export function refusedPage(paper: Paper): Html {
  const { t } = paper
  const title = t('closed.refused')
  return page({ title, paper, body: html`<h1>${title}</h1>\n<p>${t('closed.refused.why')}</p>` })
}
