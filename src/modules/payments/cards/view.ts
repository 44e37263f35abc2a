import { readFileSync } from 'node:fs'
import type { CardElement } from '../../../domain/payment-gateway.ts'
import { sha256 } from '../../../platform/crypto.ts'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import { type Language, languages } from './words.ts'

const asset = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8')

/** What the page loads from here. An address changes with the content, so browsers may keep each version for ever. */
export const assets = {
  'page.css': { contentType: 'text/css; charset=utf-8', body: asset('./page.css') },
  'element.js': { contentType: 'text/javascript; charset=utf-8', body: asset('./element.js') },
} as const

const addressOf = (name: keyof typeof assets) =>
  `/pay/assets/${sha256(assets[name].body).toString('hex').slice(0, 12)}/${name}`

export interface Speech {
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
export function stripePage(
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
export function simulatedPage(speech: Speech, { token, isDeclined }: Form): Html {
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
export function confirmPage(speech: Speech, token: string, answers: { yes: string; no: string }): Html {
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
export function notePage(speech: Speech, kind: 'processing' | 'over' | 'failed'): Html {
  const words = languages[speech.language]
  return page(speech, words[kind], html`<p>${words[`${kind}Next`]}</p>`)
}
