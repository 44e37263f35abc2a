import { DEFAULT_COLOR } from '@kitlane/display/color'
import { Sentence } from '@kitlane/display/sentence'
import { textIn } from '../../../domain/translations/sentences.ts'
import { languages, nameOfLanguage, type Translator } from '../../../domain/translations/translator.ts'
import { type Html, html, type Part } from '../../../platform/http/html.ts'
import { plain } from '../../emails/layout.ts'
import { iconPath, type Paper } from '../paper.ts'
import { stylesheetPath } from './style.ts'

export interface PageContent {
  /** Of the window, before the business's name. */
  title: string
  paper: Paper
  body: Part
  /** Below the page, such as the way out. */
  foot?: Part
  /** Whether it can be installed. */
  isApp?: boolean
  /** The address of a script. */
  script?: string
}

/** A whole page on a business's paper. */
export function page({ title, paper, body, foot, isApp, script }: PageContent): Html {
  const { t } = paper
  const color = paper.color?.slice(1) ?? DEFAULT_COLOR
  const name = plain(paper.name)
  return html`<!doctype html>
<html lang="${t.language}" dir="${t.direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title}${name && ` – ${name}`}</title>
<link rel="stylesheet" href="${stylesheetPath(color)}">
<link rel="icon" href="/pages/icon.svg" type="image/svg+xml">${isApp && app(paper)}${script && html`\n<script type="module" src="${script}"></script>`}
</head>
<body>
${paper.isTest && html`<aside class="test" aria-label="${t('page.test')}">${t('page.testKit')}</aside>`}
<div class="frame">
<header class="head">${paper.logoUrl ? html`<img src="${paper.logoUrl}" alt="${name}">` : name || t('page.yourTestKit')}</header>
<main>
${body}
</main>
<footer>
${questions(paper)}
${foot}
${otherLanguages(paper)}
</footer>
</div>
</body>
</html>
`
}

/** What makes a page one of an app. */
const app = (paper: Paper): Part =>
  paper.app &&
  html`
<link rel="manifest" href="/pages/app/${paper.app}">
<link rel="apple-touch-icon" href="${iconPath(paper, '192.png')}">`

/** Whom to ask. */
function questions({ t, name, contactEmail }: Paper): Part {
  if (contactEmail) {
    const email = html`<a href="mailto:${contactEmail}" dir="ltr">${contactEmail}</a>`
    return html`<p>${t.rich('page.questionsWrite', { email })}</p>`
  }
  return name ? html`<p>${t('page.questionsAsk', { business: plain(name) })}</p>` : null
}

/** The same page in each language, named in itself. */
function otherLanguages({ t, query }: Paper): Part {
  const links = languages.map((language) => {
    const name = nameOfLanguage(language)
    if (language === t.language) return html`<li><strong class="language" aria-current="true">${name}</strong></li>`
    const address = `?${new URLSearchParams({ ...query, language })}`
    return html`<li><a class="language" href="${address}" lang="${language}" hreflang="${language}">${name}</a></li>`
  })
  return html`<nav aria-label="${t('page.language')}"><ul class="languages">${links}</ul></nav>`
}

/** Attributes of an element whose text is in English on a page of any language; what a rule says may have words in that. */
export const english = ({ language }: { language: string }, said?: Sentence): Part =>
  language !== 'en' && (!said || textIn(language, said) === String(said)) && html` lang="en" dir="ltr"`

/** English within a text of any language; the same holds of what a rule says. */
export function inEnglish(t: { language: string }, part: Part | Sentence): Part {
  const [said, text] = part instanceof Sentence ? [part, textIn(t.language, part)] : [undefined, part]
  const marks = english(t, said)
  return marks ? html`<span${marks}>${text}</span>` : text
}

/** The name of a biomarker or a category, marked as English where the language has none for it. */
export const named = (t: Translator, english: string): Part => t.maybeNameOf(english) ?? inEnglish(t, english)

/** An address that breaks behind its @ where it must. */
export function address(email: string): Html {
  const at = email.lastIndexOf('@') + 1
  return html`<bdi dir="ltr">${email.slice(0, at)}<wbr>${email.slice(at)}</bdi>`
}

/** An ID, as it is on the box. */
export const code = (id: string): Html => html`<bdi class="code" dir="ltr">${id}</bdi>`

/** A tag of a message with emphasis. */
export const strong = (parts: readonly Part[]): Html => html`<strong>${parts}</strong>`

/** A title of a page, with whether something is wrong on it. */
export const titleOf = ({ t }: Paper, title: string, problems: ReadonlyMap<string, string>): string =>
  problems.size > 0 ? t('page.error', { title }) : title

/** Hidden: what proves that the form is this page's. */
export const tokenField = (token: string): Html => html`<input type="hidden" name="token" value="${token}">`

/** What is wrong with a form, above it, each leading to its field. */
export function problemList(
  { t }: Paper,
  problems: ReadonlyMap<string, string>,
  idOf: (name: string) => string = (name) => name,
): Part {
  if (problems.size === 0) return null
  const items = [...problems].map(([name, text]) => html`<li><a href="#${idOf(name)}">${text}</a></li>`)
  return html`<div class="note bad" role="alert" tabindex="-1" autofocus><h2>${t('page.pleaseCheck', { count: problems.size })}</h2><ul>${items}</ul></div>`
}
