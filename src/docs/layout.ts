import { type Html, html } from '../platform/http/html.ts'
import { relative, resolveLink, type Suffix } from './links.ts'
import type { ReferencePage } from './reference/pages.ts'

/** One page of the site. */
export interface Page {
  /** Below /docs: `errors`, `reference/orders`; empty for the start. */
  path: string
  title: string
  /** One sentence. */
  description: string
  isReference: boolean
  content(suffix: Suffix): Html
  markdown(): string
}

interface Heading {
  id: string
  text: string
  depth: number
  /** What stands below it, without markup. */
  words: string
}

const entities: Record<string, string> = { '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'", '&amp;': '&' }
const textOf = (markup: string) =>
  markup
    .replaceAll(/<a class="anchor".*?<\/a>/g, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => entities[entity] ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** The headings of a page from h1 to h3, those that have an anchor. */
export function headingsOf({ text }: Html): Heading[] {
  const parts = text.split(/(?=<h[123] id=)/).filter((part) => /^<h[123] id=/.test(part))
  return parts.map((part) => {
    const [, depth = '', id = '', inner = ''] = /^<h(\d) id="([^"]*)">(.*?)<\/h\1>/s.exec(part) ?? []
    return { id, depth: Number(depth), text: textOf(inner), words: textOf(part.slice(part.indexOf('</h'))) }
  })
}

interface NavGroup {
  title: string
  entries: { label: string; page: string; words: string }[]
}

/** What every page knows of the others. */
export interface SiteMap {
  readonly navigation: readonly NavGroup[]
  /** In the order of the navigation, then the others. */
  readonly pages: readonly Page[]
}

const INDEX = 'docs/README.md'

const groupsAfter: Record<string, ReferencePage['group'][]> = {
  Integrator: ['API reference', 'Dashboard API'],
  Operator: ['Operator API'],
}

/** The navigation: the lists of docs/README.md, with the reference after the first ones that it belongs to. */
export function navigationOf(index: string, reference: readonly ReferencePage[]): NavGroup[] {
  const groups = index.split(/^## /m).slice(1)
  return groups.flatMap((text) => {
    const [heading = ''] = text.split('\n', 1)
    const title = heading.replace(/:.*/, '')
    const own = { title, entries: entriesOf(text) }
    const after = (groupsAfter[title] ?? []).flatMap((group) => {
      const pages = reference.filter((one) => one.group === group)
      const entries = pages.map((one) => ({ label: one.title, page: one.path, words: one.about }))
      return pages.length > 0 ? [{ title: group, entries }] : []
    })
    return [own, ...after]
  })
}

function entriesOf(text: string): NavGroup['entries'] {
  const entries = new Map<string, NavGroup['entries'][number]>()
  const items = text.split(/^(?:\d+\.|-) /m).slice(1)
  for (const item of items) {
    const links = [...item.matchAll(/\[([^\]]+)\]\((?!\w+:)([^)\s]+)\)(?::\s*([^[]*))?/g)]
    for (const [, label = '', href = '', words = ''] of links) {
      const page = resolveLink(INDEX, href)?.page
      if (page === undefined || entries.has(page)) continue
      entries.set(page, { label: label.replaceAll('`', ''), page, words: words.replaceAll(/\s+/g, ' ').trim() })
    }
  }
  return [...entries.values()]
}

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
