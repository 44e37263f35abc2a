import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { ShareRow } from '../../links/shares.ts'
import type { Paper } from '../paper.ts'
import { choiceField, dateField, type Filled, field } from './fields.ts'
import { page, problemList, strong, titleOf, tokenField } from './layout.ts'
import { leaveForm } from './reader.ts'

const until = ({ t }: Paper, date: Date) => t.date(date.toISOString())

export interface Sharing {
  token: string
  filled: Filled
  reportId: string
  now: Date
  shares: readonly ShareRow[]
  /** The link that was just made, with its address: it is never shown again. */
  made?: (ShareRow & { url: string }) | undefined
}

/** Where a person makes a link to a report for a doctor, and ends it. */
export function sharePage({ token, filled, reportId, now, shares, made }: Sharing): Html {
  const { paper, problems } = filled
  const { t } = paper
  const path = `/r/reports/${reportId}/share`
  const title = t('share.title')
  const choices = [7, 30].map((count) => [String(count), t('share.days', { count })] as const)
  return page({
    title: titleOf(paper, title, problems),
    paper,
    foot: leaveForm(paper, token),
    body: html`${problemList(paper, problems)}<h1>${title}</h1>
${made && newLink(paper, made)}
<p>${t('share.intro')}</p>
<form method="post" action="${path}" novalidate>${tokenField(token)}
${field(filled, { name: 'forWhom', label: t('share.forWhom'), hint: t('share.forWhomHint') })}
${choiceField({ ...filled, typed: { days: '7', ...filled.typed } }, 'days', t('share.howLong'), '', choices)}
<button class="button">${t('share.make')}</button>
</form>
${shares.length > 0 && html`<h2>${t('share.yours')}</h2><ul class="shares">${shares.map((share) => shareItem(paper, share, { path, token, now }))}</ul>`}
<a class="back" href="/r/reports/${reportId}">${t('share.back')}</a>`,
  })
}

function newLink(paper: Paper, { url, forWhom, expiresAt }: ShareRow & { url: string }): Html {
  const { t } = paper
  const date = until(paper, expiresAt)
  const text = `${url}\n\n${t('share.mail.text', { date })}`
  const mail = `mailto:?subject=${encodeURIComponent(t('share.mail.subject'))}&body=${encodeURIComponent(text)}`
  return html`<div class="note" role="status"><h2>${t('share.made', { name: forWhom })}</h2>
<p>${t('share.made.copy', { date })}</p>
<label for="url" class="aside">${t('share.link')}</label><input id="url" class="url" dir="ltr" readonly value="${url}">
<p><a href="${mail}">${t('share.mail')}</a></p></div>`
}

interface ShareAt {
  path: string
  token: string
  now: Date
}

function shareItem(paper: Paper, share: ShareRow, { path, token, now }: ShareAt): Html {
  const { t } = paper
  const { id, forWhom, createdAt, expiresAt, openedAt } = share
  const hasEnded = expiresAt <= now
  const dates = { made: until(paper, createdAt), end: until(paper, expiresAt) }
  const works = t(hasEnded ? 'share.madeEnded' : 'share.madeWorks', dates)
  const opened = openedAt ? t('share.opened', { date: until(paper, openedAt) }) : t('share.notOpened')
  const aside = (parts: readonly Part[]) => html`<span class="aside">${parts}</span>`
  return html`<li><strong>${forWhom}</strong><span class="hint">${works} ${opened}</span>
${!hasEnded && html`<form method="post" action="${path}/${id}/end">${tokenField(token)}<button class="link">${t.rich('share.end', { name: forWhom, aside })}</button></form>`}</li>`
}

/** Before a shared report is shown. */
export function guestBirthPage(token: string, filled: Filled): Html {
  const { paper, problems } = filled
  const { t } = paper
  const title = t('share.guest')
  return page({
    title: titleOf(paper, title, problems),
    paper,
    body: html`${problemList(paper, problems, () => 'day')}<h1>${title}</h1>
<p>${t('share.guest.why')}</p>
<form method="post" action="/s" novalidate>${tokenField(token)}
${dateField(filled, t('share.guest.birth'), t('share.guest.birthHint'))}
<button class="button">${t('page.continue')}</button>
</form>`,
  })
}

const closedPage = (paper: Paper, key: 'share.ended' | 'share.locked'): Html => {
  const { t } = paper
  const title = t(key)
  const body = html`<h1>${title}</h1>\n<p>${t(`${key}.why`)}</p>\n<p>${t(`${key}.next`)}</p>`
  return page({ title, paper, body })
}

export const endedSharePage = (paper: Paper): Html => closedPage(paper, 'share.ended')

/** After too many wrong dates of birth. */
export const lockedSharePage = (paper: Paper): Html => closedPage(paper, 'share.locked')

/** For whom a shared report is, whose it is, and until when it can be read. */
export function sharedWith(
  paper: Paper,
  { name, dateOfBirth }: { name: string | null; dateOfBirth: string | null },
  { forWhom, expiresAt }: ShareRow,
): Part {
  const { t } = paper
  const values = { name: name ?? t('share.somebody'), forWhom, date: until(paper, expiresAt), strong }
  const sentence =
    dateOfBirth === null
      ? t.rich('share.above', values)
      : t.rich('share.aboveBorn', { ...values, born: t.date(dateOfBirth) })
  return html`<div class="note"><p>${sentence}</p></div>`
}

/** The way out of a shared report. */
export const guestFoot = ({ t }: Paper, token: string): Html =>
  html`<form method="post" action="/s/leave">${tokenField(token)}<button class="link">${t('share.close')}</button></form>`

/** What leads from a report to sharing it. */
export const shareLink = ({ t }: Paper, reportId: string): Html =>
  html`<h2>${t('share.doctor')}</h2><p>${t('share.doctor.how')}</p>
<a class="button" href="/r/reports/${reportId}/share">${t('share.this')}</a>`
