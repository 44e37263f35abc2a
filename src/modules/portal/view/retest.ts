import { needsZip } from '@kitlane/display/postal-address'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import { plain } from '../../emails/layout.ts'
import type { Paper } from '../paper.ts'
import type { Addressee, Retest } from '../retest/find.ts'
import { addressFields } from '../retest/form.ts'
import { countryField, type Filled, field } from './fields.ts'
import { address as emailWords, inEnglish, page, problemList, titleOf, tokenField } from './layout.ts'
import { leaveForm } from './reader.ts'

const pathOf = ({ reportId }: Retest) => `/r/reports/${reportId}/retest`

/** What leads from a report to ordering its test again. */
export function retestLink({ t, name }: Paper, retest: Retest): Html {
  const path = pathOf(retest)
  if (retest.open) {
    const ordered = t('retest.ordered', { date: t.date(retest.open.at.toISOString()) })
    return html`<h2>${t('retest.title')}</h2><p>${ordered} <a href="${path}">${t('retest.see')}</a></p>`
  }
  return html`<h2>${t('retest.title')}</h2><p>${t('retest.how', { business: plain(name) })}</p>
<a class="button" href="${path}">${t('retest.title')}</a>`
}

export interface Ordering {
  token: string
  filled: Filled
  retest: Retest
  addressee: Addressee
}

/** What is ordered and where it goes, before it is ordered. */
export function retestPage({ token, filled, retest, addressee }: Ordering): Html {
  const { paper, typed, problems } = filled
  const { t } = paper
  const title = t('retest.title')
  const { street1, city, zip, country } = typed
  const isKnown = problems.size === 0 && Boolean(street1 && city && country && (zip || !needsZip(country)))
  const facts: [string, Part][] = [
    [t('retest.panel'), inEnglish(t, retest.panel)],
    [t('register.check.name'), `${addressee.firstName} ${addressee.lastName}`],
    ...(isKnown ? [[t('register.check.address'), addressWords(paper, typed)] satisfies [string, Part]] : []),
  ]
  const fields = addressFields.map(([name, label, autocomplete]) =>
    name === 'country' ? countryField(filled) : field(filled, { name, label: t(label), autocomplete }),
  )
  return page({
    title: titleOf(paper, title, problems),
    paper,
    foot: leaveForm(paper, token),
    body: html`${problemList(paper, problems)}<h1>${title}</h1>
<p>${t('retest.how', { business: plain(paper.name) })}</p>
<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd><bdi>${value}</bdi></dd></div>`)}</dl>
<form method="post" action="${pathOf(retest)}" novalidate>${tokenField(token)}
${isKnown ? html`<details><summary>${t('retest.change')}</summary><div class="folded">${fields}</div></details>` : fields}
<button class="button">${t('retest.order')}</button>
</form>
<a class="back" href="/r/reports/${retest.reportId}">${t('share.back')}</a>`,
  })
}

function addressWords({ t }: Paper, { street1, street2, zip, city, state, country }: Filled['typed']): Part {
  const name = new Intl.DisplayNames([t.language], { type: 'region' }).of(country ?? '')
  return [street1, street2, `${zip} ${city}`.trim(), state, name].filter(Boolean).join(', ')
}

/** After it was ordered, and whenever the page is opened again. */
export function orderedPage(paper: Paper, token: string, retest: Retest, addressee: Addressee): Html {
  const { t, name } = paper
  const { at, isPending } = retest.open ?? { at: new Date(0), isPending: false }
  const title = t(isPending ? 'retest.pending' : 'retest.done')
  return page({
    title,
    paper,
    foot: leaveForm(paper, token),
    body: html`<h1>${title}</h1>
<p>${t('retest.ordered', { date: t.date(at.toISOString()) })} ${t(isPending ? 'retest.pending.next' : 'retest.done.next', { business: plain(name) })}</p>
${addressee.email && !isPending && html`<p>${t.rich('retest.done.mail', { email: emailWords(addressee.email) })}</p>`}
<a class="button quiet" href="/r">${t('page.backToKit')}</a>`,
  })
}

/** Where credits do not cover it and nothing was ordered. */
export function refusedPage(paper: Paper, token: string, { hasContact, reportId }: Retest): Html {
  const { t, name } = paper
  const title = t('retest.refused')
  return page({
    title,
    paper,
    foot: leaveForm(paper, token),
    body: html`<h1>${title}</h1>
<p>${t(hasContact ? 'retest.refused.told' : 'retest.refused.ask', { business: plain(name) })}</p>
<a class="back" href="/r/reports/${reportId}">${t('share.back')}</a>`,
  })
}
