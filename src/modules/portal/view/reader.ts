import { dateText } from '@kitlane/display/report-text'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { KitRow } from '../../kits/queries.ts'
import type { Paper } from '../paper.ts'
import type { ReportSummary } from '../queries.ts'
import { journeyOf, kitText, withdrawnText } from '../words.ts'
import { stepMark } from './drawings.ts'
import { dateField, type Filled, field } from './fields.ts'
import { neutralPaper, page, problemList, tokenField } from './layout.ts'

const NEW_LINK = html`<a class="button quiet" href="/r/new">Get a new link</a>`

/** Before anything about a person is shown. */
export function birthPage(paper: Paper, token: string, filled: Filled): Html {
  return page({
    title: filled.problems.size > 0 ? 'Error: Is it you?' : 'Is it you?',
    paper,
    body: html`${problemList(filled.problems, () => 'day')}<h1>Is it you?</h1>
<p>What comes next is about your health, and meant for you alone.</p>
<form method="post" action="/r" novalidate>${tokenField(token)}
${dateField(filled, 'Your date of birth', 'The one that was given when the kit was registered.')}
<button class="button">Continue</button>
</form>`,
  })
}

const simple = (title: string, body: Part, paper: Paper = neutralPaper): Html =>
  page({ title, paper, body: html`<h1>${title}</h1>${body}` })

export const lockedPage = (paper: Paper): Html =>
  simple(
    'Please wait a while',
    html`<p>The date of birth was wrong too often. To protect you, no more are taken for an hour; after ten wrong ones in a day, until the next day.</p>
<p>A new link does not shorten that. You do not know which date was given? Please ask whom you had the kit from.</p>`,
    paper,
  )

export const endedPage = (paper: Paper = neutralPaper): Html =>
  simple(
    'This link does not work any more',
    html`<p>A link is valid for 90 days, and ends earlier if a wrong date of birth was given too often.</p>
<p>Your kit and your report are still there: get a new link by e-mail.</p>${NEW_LINK}`,
    paper,
  )

export const signedOutPage = (): Html =>
  simple(
    'Please open the link in your e-mail',
    html`<p>To protect you, these pages close after 30 minutes. Open the link in our e-mail once more.</p>
<p>You cannot find it? Then get a new one.</p>${NEW_LINK}`,
  )

export const leftPage = (): Html =>
  simple('You are signed out', html`<p>You can close this page. The link in your e-mail brings you back.</p>`)

export function askPage(token: string, filled: Filled): Html {
  return page({
    title: filled.problems.size > 0 ? 'Error: Get a new link' : 'Get a new link',
    paper: neutralPaper,
    body: html`${problemList(filled.problems, (name) => name)}<h1>Get a new link</h1>
<p>We send it to the e-mail address that the kit was registered with.</p>
<form method="post" action="/r/new" novalidate>${tokenField(token)}
${field(filled, { name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'email' })}
<button class="button">Send me a link</button>
</form>`,
  })
}

export const sentPage = (): Html =>
  simple(
    'Please look into your e-mails',
    html`<p>If a kit is registered with this address, an e-mail with a new link is on its way.</p>
<p>Nothing within ten minutes? Please look in the spam folder, and check whether you used another address. We send a link at most five times a day.</p>`,
  )

/** The way out, at the foot of every page about a person. */
export const leaveForm = (token: string): Html =>
  html`<form method="post" action="/r/leave">${tokenField(token)}<button class="link">Sign out</button></form>`

export interface Home {
  paper: Paper
  token: string
  firstName: string | null
  /** Newest first. */
  kits: readonly KitRow[]
  /** The IDs of those whose consent was taken back before the sample arrived. */
  stopped: ReadonlySet<string>
  reports: readonly ReportSummary[]
}

export function homePage({ paper, token, firstName, kits, stopped, reports }: Home): Html {
  const sections = kits.map((kit, index) =>
    kitSection(kit, { reports, isFirst: index === 0, isStopped: stopped.has(kit.id) }),
  )
  const others = reports.filter(({ kitId }) => !kits.some(({ id }) => id === kitId))
  return page({
    title: 'Your kit and your report',
    paper,
    foot: leaveForm(token),
    body: html`<h1>${firstName ? `Hello ${firstName}` : 'Hello'}</h1>
${kits.length + reports.length === 0 && html`<p>There is nothing to show yet.</p>`}
${sections}
${others.map((report) => html`<h2>Report${others.length > 1 && ` of ${reportDate(report)}`}</h2>${reportLink(report)}`)}`,
  })
}

const reportDate = ({ collectedDate, publishedAt }: ReportSummary) =>
  dateText(collectedDate ?? publishedAt.toISOString())

const reportLink = (report: ReportSummary) =>
  html`<p>Of ${reportDate(report)}</p><a class="button" href="/r/reports/${report.id}">Read your report</a>`

interface Around {
  reports: readonly ReportSummary[]
  isFirst: boolean
  isStopped: boolean
}

function kitSection(kit: KitRow, { reports, isFirst, isStopped }: Around): Html {
  const { title, next } = isStopped ? withdrawnText : kitText(kit)
  const report = reports.find(({ kitId }) => kitId === kit.id)
  const steps = journeyOf(kit).map(({ label, at, is }) => {
    const when = at ? html`<time datetime="${at.slice(0, 10)}">${dateText(at)}</time>` : null
    const state = { done: 'Done: ', now: 'Now: ', todo: 'Still to come: ' }[is]
    return html`<li class="${is}">${stepMark(is)}<span class="aside">${state}</span>${label}${when}</li>`
  })
  return html`<section><h2>Kit <span class="code">${kit.id}</span></h2>
<div class="note"><h2>${title}</h2><p>${next}</p>${parcel(kit)}</div>
${report && html`<a class="button" href="/r/reports/${report.id}">Read your report</a>`}
<details${isFirst && html` open`}><summary>Where it has been</summary><div class="folded"><ol class="way">${steps}</ol></div></details>
<p><a href="/r/kits/${kit.id}/consent">What you agreed to</a></p></section>`
}

/** Who carries it, while somebody does. */
function parcel({ kitStatus, sampleStatus, shipment }: KitRow): Part {
  const leg = kitStatus === 'inTransit' ? shipment.toUser : sampleStatus === 'inTransit' ? shipment.toLab : undefined
  return leg && html`<p>${leg.carrier}, number <span class="code">${leg.trackingNumber}</span></p>`
}
