import { readFileSync } from 'node:fs'
import type { CardElement, Setup } from '../../../domain/payment-gateway.ts'
import { sha256 } from '../../../platform/crypto.ts'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import type { Allowed, Page, PageAnswer, PageRequest, Trouble } from '../../../platform/http/pages.ts'
import { CONFIRMED, REFUSED } from '../gateways/simulated.ts'
import { finishCardSession, maybeFindSession } from './sessions.ts'
import { type Language, languageOf, languages } from './words.ts'

// https://docs.stripe.com/security/guide#content-security-policy, without what maps and wallets need.
const STRIPE: Allowed = {
  'script-src': ["'self'", 'https://js.stripe.com', 'https://*.js.stripe.com'],
  'frame-src': ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  'connect-src': ['https://api.stripe.com'],
}

type Session = NonNullable<Awaited<ReturnType<typeof maybeFindSession>>>

const asset = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/** What the page loads from here. An address changes with the content, so browsers may keep each version for ever. */
const assets = {
  'page.css': { contentType: 'text/css; charset=utf-8', body: asset('./page.css') },
  'element.js': { contentType: 'text/javascript; charset=utf-8', body: asset('./element.js') },
} as const

const addressOf = (name: keyof typeof assets) =>
  `/pay/assets/${sha256(assets[name].body).toString('hex').slice(0, 12)}/${name}`

interface Speech {
  language: Language
  businessName: string
  /** Where it leads back to; undefined where that is not known. */
  billing: string | undefined
}

const said = (text: string, businessName: string) => text.replaceAll('{business}', businessName)

function page({ language, billing }: Speech, title: string, body: Part, head?: Part): Html {
  const words = languages[language]
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – Kitlane</title>
<link rel="stylesheet" href="${addressOf('page.css')}">
<link rel="icon" href="/pages/icon.svg" type="image/svg+xml">
${head}</head>
<body>
<main>
<h1>${title}</h1>
${body}
${billing && html`<p class="back"><a href="${billing}">${words.back}</a></p>`}
</main>
</body>
</html>
`
}

/** The gateway's own fields. They and the script that shows them are all that the page runs. */
function stripePage(
  speech: Speech,
  element: CardElement & { kind: 'stripe' },
  { done, isDeclined }: { done: string; isDeclined: boolean },
): Html {
  const { language, businessName } = speech
  const words = languages[language]
  const scripts = html`<script src="${element.script}" defer></script>
<script src="${addressOf('element.js')}" defer></script>
`
  const body = html`<p class="soft">${said(words.for, businessName)}</p>
<noscript><p class="note">${words.noScript}</p></noscript>
<p class="note" id="problem" role="alert"${!isDeclined && html` hidden`}>${isDeclined && words.declined}</p>
<form action="${done}" data-key="${element.publishableKey}" data-secret="${element.clientSecret}" data-locale="${language}" data-saving="${words.saving}" data-not-loaded="${words.notLoaded}">
<div id="element"></div>
<p class="soft">${said(words.element, businessName)}</p>
<div class="actions"><button disabled>${words.save}</button></div>
</form>`
  return page(speech, words.title, body, scripts)
}

const testCards = [
  ['pm_card_visa', 'pays'],
  ['pm_card_confirms', 'confirms'],
  ['pm_card_refused', 'refused'],
  ['pm_card_declined', 'declines'],
  ['pm_card_authentication_required', 'absent'],
  ['pm_card_slow', 'slow'],
  ['pm_card_lost_reply', 'lost'],
] as const

interface Form {
  token: string
  isDeclined: boolean
}

/** The simulated element: test cards in place of fields. */
function simulatedPage(speech: Speech, { token, isDeclined }: Form): Html {
  const words = languages[speech.language]
  const choices = testCards.map(
    ([id, word], index) =>
      html`<label><input type="radio" name="card" value="${id}" required${index === 0 && html` checked`}> ${words[word]}</label>`,
  )
  const body = html`<p class="soft">${said(words.for, speech.businessName)}</p>
<p class="note">${words.test}</p>
${isDeclined && html`<p class="note" role="alert">${words.declined}</p>`}
<form method="post">
<input type="hidden" name="token" value="${token}">
<fieldset><legend>${words.choose}</legend>${choices}</fieldset>
<div class="actions"><button>${words.save}</button></div>
</form>`
  return page(speech, words.title, body)
}

/** The simulated bank, in place of 3-D Secure. */
function confirmPage(speech: Speech, token: string, answers: { yes: string; no: string }): Html {
  const words = languages[speech.language]
  const body = html`<p class="note">${words.bankWhy}</p>
<form method="post">
<input type="hidden" name="token" value="${token}">
<div class="actions"><button name="card" value="${answers.yes}">${words.confirm}</button>
<button class="second" name="card" value="${answers.no}">${words.refuse}</button></div>
</form>`
  return page(speech, words.bank, body)
}

/** A page that only says something. */
function notePage(speech: Speech, kind: 'processing' | 'over' | 'failed'): Html {
  const words = languages[speech.language]
  return page(speech, words[kind], html`<p>${words[`${kind}Next`]}</p>`)
}

/** Where a card is added: https://…/pay/card/<secret>. The one page that may load a script of the payment provider. */
export const cardPages: readonly Page[] = [
  {
    method: 'GET',
    path: '/pay/card/:secret',
    handler: (request) =>
      withSession(request, async (session) => {
        const setup = await request.portsOf(session.realm).gateway.findSetup(session.setupRef)
        if (setup.state === 'saved' || setup.state === 'processing') return { to: `${here(request)}/done` }
        return shownSetup(request, session, setup)
      }),
  },
  {
    method: 'POST',
    path: '/pay/card/:secret',
    handler: (request) =>
      withSession(request, async (session) => {
        // Only the simulated element sends its form here: real cards never come to this service.
        const { gateway } = request.portsOf(session.realm)
        await gateway.enterCard?.(session.setupRef, request.form.card ?? '')
        return { to: `${here(request)}/done` }
      }),
  },
  {
    method: 'GET',
    path: '/pay/card/:secret/done',
    handler: (request) =>
      withSession(request, async (session) => {
        const setup = await finishCardSession(request.portsOf(session.realm), session.id)
        if (!setup || setup.state === 'saved') return { to: `${billingOf(session)}?card=added` }
        if (setup.state === 'processing') return { html: notePage(speechOf(request, session), 'processing') }
        return { to: here(request) }
      }),
  },
  {
    method: 'GET',
    path: '/pay/assets/:version/:file',
    handler: async ({ params: { file = '' } }) => {
      const found = Object.hasOwn(assets, file) ? assets[file as keyof typeof assets] : undefined
      if (!found) return { html: notePage(neutral, 'over'), status: 404 }
      return { document: { ...found, isForever: true } }
    },
  },
]

const neutral: Speech = { language: 'en', businessName: '', billing: undefined }

/** What went wrong, where no session is known. */
export const cardTroublePage = (_kind: Trouble, request: PageRequest) =>
  notePage({ ...neutral, language: languageOf(wantedBy(request)) }, 'failed')

const here = ({ params }: PageRequest) => `/pay/card/${params.secret}`
const billingOf = ({ realm }: Session) => `/app/b/${realm.businessId}/${realm.mode}/billing`
// The dashboard says which language it is in.
const wantedBy = ({ query, languages, cookie }: PageRequest) => [
  query.language ?? '',
  cookie('card-language') ?? '',
  ...languages,
]

const speechOf = (request: PageRequest, session: Session): Speech => ({
  language: languageOf(wantedBy(request)),
  businessName: session.businessName,
  billing: billingOf(session),
})

/** Answers with the session of the address. One that is over leads back, or says so. */
async function withSession(
  request: PageRequest,
  answer: (session: Session) => Promise<PageAnswer>,
): Promise<PageAnswer> {
  const found = await request.asSystem(async (tx) => {
    const session = await maybeFindSession(tx, request.params.secret ?? '')
    return session && { session, isOver: session.state === 'ended' || session.expiresAt <= tx.now }
  })
  const language = languageOf(wantedBy(request))
  if (!found) return { html: notePage({ ...neutral, language }, 'over'), status: 404 }
  const { session, isOver } = found
  if (session.state === 'saved') return { to: `${billingOf(session)}?card=added` }
  if (isOver) return { html: notePage(speechOf(request, session), 'over'), status: 410 }
  const answered = await answer(session)
  // A bank leads back here without it.
  const { language: chosen } = request.query
  return chosen ? { ...answered, cookies: [{ name: 'card-language', value: language, maxAgeSeconds: 3600 }] } : answered
}

function shownSetup(
  request: PageRequest,
  session: Session,
  setup: Exclude<Setup, { state: 'saved' | 'processing' }>,
): PageAnswer {
  const speech = speechOf(request, session)
  if (setup.state === 'ended') return { html: notePage(speech, 'over'), status: 410 }
  const isDeclined = setup.declineCode !== undefined
  const { element } = setup
  if (element.kind === 'stripe') {
    const done = `${here(request)}/done`
    return { html: stripePage(speech, element, { done, isDeclined }), allows: STRIPE }
  }
  const token = request.formToken()
  if (setup.state === 'confirming') return { html: confirmPage(speech, token, { yes: CONFIRMED, no: REFUSED }) }
  return { html: simulatedPage(speech, { token, isDeclined }) }
}
