import { dateText } from '@kitlane/display/report-text'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { ShareRow } from '../../links/shares.ts'
import type { Paper } from '../paper.ts'
import { choiceField, dateField, type Filled, field } from './fields.ts'
import { neutralPaper, page, problemList, tokenField } from './layout.ts'
import { leaveForm } from './reader.ts'

const until = (date: Date) => dateText(date.toISOString())

export interface Sharing {
  paper: Paper
  token: string
  filled: Filled
  reportId: string
  now: Date
  shares: readonly ShareRow[]
  /** The link that was just made, with its address: it is never shown again. */
  made?: (ShareRow & { url: string }) | undefined
}

/** Where a person makes a link to a report for a doctor, and ends it. */
export function sharePage({ paper, token, filled, reportId, now, shares, made }: Sharing): Html {
  const path = `/r/reports/${reportId}/share`
  return page({
    title: filled.problems.size > 0 ? 'Error: Share your report' : 'Share your report',
    paper,
    foot: leaveForm(token),
    body: html`${problemList(filled.problems, (name) => name)}<h1>Share your report</h1>
${made && newLink(made)}
<p>Make a link for your doctor. It shows this one report and its PDF, nothing else of you. Whoever opens it must also know your date of birth.</p>
<form method="post" action="${path}" novalidate>${tokenField(token)}
${field(filled, { name: 'forWhom', label: 'For whom is it?', hint: 'It stands above the report, and helps you to tell your links apart. Such as: Dr. Jones.' })}
${choiceField({ ...filled, typed: { days: '7', ...filled.typed } }, 'days', 'How long does it work?', '', [
  ['7', '7 days'],
  ['30', '30 days'],
])}
<button class="button">Make a link</button>
</form>
${shares.length > 0 && html`<h2>Your links</h2><ul class="shares">${shares.map((share) => shareItem(share, { path, token, now }))}</ul>`}
<a class="back" href="/r/reports/${reportId}">Back to your report</a>`,
  })
}

function newLink({ url, forWhom, expiresAt }: ShareRow & { url: string }): Html {
  const mail = `mailto:?subject=${encodeURIComponent('My laboratory report')}&body=${encodeURIComponent(`${url}\n\nIt works until ${until(expiresAt)} and asks for my date of birth.`)}`
  return html`<div class="note" role="status"><h2>The link for ${forWhom} is ready</h2>
<p>Copy it now: it is not shown again. It works until ${until(expiresAt)}.</p>
<label for="url" class="aside">The link</label><input id="url" class="url" readonly value="${url}">
<p><a href="${mail}">Write it into an e-mail</a></p></div>`
}

function shareItem(share: ShareRow, { path, token, now }: { path: string; token: string; now: Date }): Html {
  const { id, forWhom, createdAt, expiresAt, openedAt } = share
  const hasEnded = expiresAt <= now
  return html`<li><strong>${forWhom}</strong><span class="hint">Made on ${until(createdAt)}, ${hasEnded ? 'ended' : 'works until'} ${hasEnded && 'on '}${until(expiresAt)}. ${openedAt ? `Last opened on ${until(openedAt)}.` : 'Not opened yet.'}</span>
${!hasEnded && html`<form method="post" action="${path}/${id}/end">${tokenField(token)}<button class="link">End this link<span class="aside"> for ${forWhom}</span></button></form>`}</li>`
}

/** Before a shared report is shown. */
export function guestBirthPage(paper: Paper, token: string, filled: Filled): Html {
  return page({
    title: filled.problems.size > 0 ? 'Error: A report was shared with you' : 'A report was shared with you',
    paper,
    body: html`${problemList(filled.problems, () => 'day')}<h1>A report was shared with you</h1>
<p>To protect the person whose report it is, we ask for their date of birth.</p>
<form method="post" action="/s" novalidate>${tokenField(token)}
${dateField(filled, 'Date of birth of your patient', 'Not your own.')}
<button class="button">Continue</button>
</form>`,
  })
}

export const endedSharePage = (): Html =>
  page({
    title: 'This link does not work any more',
    paper: neutralPaper,
    body: html`<h1>This link does not work any more</h1>
<p>A shared report can be read for 7 or 30 days, and the person can end it earlier. A visit ends after 30 minutes: then open the link once more.</p>
<p>If you still need the report, please ask the person for a new link.</p>`,
  })

/** For whom a shared report is, whose it is, and until when it can be read. */
export const sharedWith = (
  { name, dateOfBirth }: { name: string | null; dateOfBirth: string | null },
  { forWhom, expiresAt }: ShareRow,
): Part =>
  html`<div class="note"><p><strong>${name ?? 'A person'}</strong>${dateOfBirth && html`, born on ${dateText(dateOfBirth)},`} shared this report with ${forWhom}. It can be read until ${until(expiresAt)}.</p></div>`

/** The way out of a shared report. */
export const guestFoot = (token: string): Html =>
  html`<form method="post" action="/s/leave">${tokenField(token)}<button class="link">Close the report</button></form>`

/** What leads from a report to sharing it. */
export const shareLink = (reportId: string): Html =>
  html`<h2>Show it to your doctor</h2><p>Make a link that ends by itself, or take the PDF along. The questions above may help you to talk about it.</p>
<a class="button" href="/r/reports/${reportId}/share">Share this report</a>`
