import { DEFAULT_COLOR } from '@kitlane/display/color'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import { plain } from '../../emails/layout.ts'
import type { Paper } from '../paper.ts'
import { stylesheetPath } from './style.ts'

/** Where a page stands that belongs to no business. */
export const neutralPaper: Paper = { name: '', color: null, logoUrl: null, contactEmail: null, isTest: false }

export interface PageContent {
  /** Of the window; said before the business's name. */
  title: string
  paper: Paper
  body: Part
  /** Below the page, such as the way out. */
  foot?: Part
}

/** A whole page on a business's paper. */
export function page({ title, paper, body, foot }: PageContent): Html {
  const color = paper.color?.slice(1) ?? DEFAULT_COLOR
  const name = plain(paper.name)
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}${name && ` – ${name}`}</title>
<link rel="stylesheet" href="${stylesheetPath(color)}">
<link rel="icon" href="/pages/icon.svg" type="image/svg+xml">
</head>
<body>
${paper.isTest && html`<aside class="test" aria-label="Test">Test kit: nothing on this page is real.</aside>`}
<div class="frame">
<header class="head">${paper.logoUrl ? html`<img src="${paper.logoUrl}" alt="${name}">` : name || 'Your test kit'}</header>
<main>
${body}
</main>
<footer>
${questions(paper)}
${foot}
</footer>
</div>
</body>
</html>
`
}

/** Whom to ask. */
function questions({ name, contactEmail }: Paper): Part {
  if (contactEmail) return html`<p>Questions? Write to <a href="mailto:${contactEmail}">${contactEmail}</a>.</p>`
  return name ? html`<p>Questions? Please ask ${plain(name)}.</p>` : null
}

/** An address that breaks behind its @ where it must. */
export function address(email: string): Html {
  const at = email.lastIndexOf('@') + 1
  return html`${email.slice(0, at)}<wbr>${email.slice(at)}`
}

/** Hidden: what proves that the form is this page's. */
export const tokenField = (token: string): Html => html`<input type="hidden" name="token" value="${token}">`

/** What is wrong with a form, above it, each leading to its field. */
export function problemList(problems: ReadonlyMap<string, string>, idOf: (name: string) => string): Part {
  if (problems.size === 0) return null
  const items = [...problems].map(([name, text]) => html`<li><a href="#${idOf(name)}">${text}</a></li>`)
  return html`<div class="note bad" role="alert" tabindex="-1" autofocus><h2>Please check ${problems.size === 1 ? 'one thing' : 'these'}</h2><ul>${items}</ul></div>`
}
