import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { Paper } from '../paper.ts'
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
