import { type Html, html } from '../platform/http/html.ts'
import { relative, type Suffix } from './links.ts'
import type { SiteMap } from './navigation.ts'
import { headingsOf, type Page } from './page.ts'

/** A whole page: navigation, content, what is on it, and the pages before and after it. */
export function layout({ navigation, pages }: SiteMap, page: Page, suffix: Suffix): Html {
  const to = (path: string) => relative(page.path, path, suffix)
  const asset = (name: string) => relative(page.path, name, '')
  const content = page.content(suffix)
  const at = pages.indexOf(page)
  const [before, after] = [pages[at - 1], pages[at + 1]]
  const markdown = page.path === '' || page.path.endsWith('/') ? `${page.path}index.md` : `${page.path}.md`
  const isStart = page.path === ''
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${isStart ? 'Kitlane documentation' : `${page.title} · Kitlane`}</title>
<meta name="description" content="${page.description}">
<link rel="icon" href="${asset('icon.svg')}">
<link rel="stylesheet" href="${asset('docs.css')}">
<link rel="alternate" type="text/markdown" href="${asset(markdown)}">
<script src="${asset('docs.js')}"></script>
</head>
<body class="${page.isReference ? 'reference' : isStart ? 'start' : 'text'}" data-root="${to('').replace(/index\.html$/, '') || './'}">
<a class="skip" href="#content">To the text</a>
<header>
<a class="home" href="${to('')}"><img src="${asset('icon.svg')}" alt="" width="24" height="24">Kitlane <span>docs</span></a>
<search hidden><input type="search" placeholder="Search" aria-label="Search the documentation" autocomplete="off" spellcheck="false"><kbd>/</kbd><div class="found" hidden></div><p class="unseen" role="status"></p></search>
<a class="menu" href="#navigation">Menu</a>
<button class="scheme" type="button" hidden aria-label="Change between light and dark">◐</button>
</header>
<div class="frame">
<main id="content">
<article>
${content}
</article>
<nav class="steps" aria-label="Before and after">
${before && html`<a rel="prev" href="${to(before.path)}"><small>Before</small>${titleOf(before)}</a>`}
${after && html`<a rel="next" href="${to(after.path)}"><small>Next</small>${titleOf(after)}</a>`}
</nav>
<footer><a href="${asset(markdown)}">This page as Markdown</a></footer>
</main>
${navigationHtml(navigation, page, to)}
${!page.isReference && !isStart && contentsHtml(content)}
</div>
</body>
</html>
`
}

const titleOf = ({ path, title }: Page) => (path === '' ? 'Documentation' : title)

function navigationHtml(navigation: SiteMap['navigation'], page: Page, to: (path: string) => string): Html {
  // A page may be in several groups: it is shown where it stands first.
  const own = navigation.find(({ entries }) => entries.some((entry) => entry.page === page.path)) ?? navigation[0]
  return html`<nav class="side" id="navigation" aria-label="Documentation">
${navigation.map(
  (group) =>
    html`<details${group === own && html` open`}><summary>${group.title}</summary><ul>${group.entries.map(
      (entry) =>
        html`<li><a href="${to(entry.page)}"${entry.page === page.path && html` aria-current="page"`}>${entry.label}</a></li>`,
    )}</ul></details>`,
)}
</nav>`
}

function contentsHtml(content: Html): Html | false {
  const headings = headingsOf(content).filter(({ depth }) => depth === 2)
  if (headings.length < 2) return false
  return html`<nav class="contents" aria-label="On this page"><p>On this page</p><ul>${headings.map(
    ({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`,
  )}</ul></nav>`
}
