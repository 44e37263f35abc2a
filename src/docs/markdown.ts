import { Marked, type Tokens } from 'marked'
import { Html, html } from '../platform/http/html.ts'
import { codeBlock } from './highlight.ts'
import { type FindName, relative, resolveLink, type Suffix } from './links.ts'

/** What the rendering of one document needs to know. */
export interface Place {
  /** The document's path in the repository. */
  source: string
  /** The page's path below /docs. */
  page: string
  suffix: Suffix
  /** Whether the site has a file beside its pages: a picture, or an OpenAPI document. */
  hasFile(path: string): boolean
  /** Where calls, events and error codes that it names are explained. */
  findName: FindName
}

/** Files of the repository that the site has, by their path there. */
const fileOf = (path: string): string => path.replace(/^docs\//, '')

/** The markup of a document. HTML inside of it is left out: documents have comments only. */
export function renderMarkdown(text: string, place: Place): Html {
  return new Html(markedFor(place).parse(text, { async: false }))
}

/** The markup of one line: no paragraph around it. */
export const renderInline = (text: string, place: Place): Html =>
  new Html(markedFor(place).parseInline(text, { async: false }))

// A page of the reference renders a thousand pieces, each of a line.
const made = new WeakMap<Place, Marked>()

function markedFor(place: Place): Marked {
  const known = made.get(place) ?? newMarked(place)
  made.set(place, known)
  return known
}

/** The anchor of a heading, as GitHub makes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

/** The same, where a page has several headings that are alike. */
function anchors(): (heading: string) => string {
  const counts = new Map<string, number>()
  return (heading) => {
    const anchor = anchorOf(heading)
    const before = counts.get(anchor) ?? 0
    counts.set(anchor, before + 1)
    return before ? `${anchor}-${before}` : anchor
  }
}

function newMarked(place: Place): Marked {
  const anchorFor = anchors()
  // Links and headings are links already.
  let linked = 0
  const inLink = (render: () => string) => {
    linked++
    const text = render()
    linked--
    return new Html(text)
  }
  const marked = new Marked({ gfm: true })
  marked.use({
    renderer: {
      html: () => '',
      heading({ tokens, depth, text }: Tokens.Heading) {
        const inner = inLink(() => this.parser.parseInline(tokens))
        const id = anchorFor(text)
        const level = new Html(`h${depth}`)
        return html`<${level} id="${id}">${inner}${depth > 1 && html`<a class="anchor" href="#${id}" aria-label="Link to this part">#</a>`}</${level}>\n`
          .text
      },
      code: ({ text, lang }: Tokens.Code) => codeBlock(text, lang?.split(' ')[0]).text,
      codespan({ text }: Tokens.Codespan) {
        const found = linked === 0 ? place.findName(text) : undefined
        const code = html`<code>${text}</code>`
        if (!found) return code.text
        const to = found.page === place.page ? '' : relative(place.page, found.page, place.suffix)
        return html`<a class="name" href="${to}#${found.anchor}">${code}</a>`.text
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = inLink(() => this.parser.parseInline(tokens))
        const to = addressOf(href, place)
        return to === undefined ? inner.text : html`<a href="${to}">${inner}</a>`.text
      },
      image({ href, text: alt }: Tokens.Image) {
        const to = addressOf(href, place)
        return to === undefined ? '' : html`<img src="${to}" alt="${alt}" loading="lazy">`.text
      },
      table(token: Tokens.Table) {
        const cells = (row: Tokens.TableCell[], tag: Html) =>
          row.map(({ tokens }) => html`<${tag}>${new Html(this.parser.parseInline(tokens))}</${tag}>`)
        const [th, td] = [new Html('th'), new Html('td')]
        const hasHead = token.header.some(({ text }) => text !== '')
        const words = token.header.map(({ text }) => text).filter(Boolean)
        return html`<div class="table" tabindex="0" role="group" aria-label="${words.length > 0 ? `Table: ${words.join(', ')}` : 'Table'}"><table>${hasHead && html`<thead><tr>${cells(token.header, th)}</tr></thead>`}<tbody>${token.rows.map((row) => html`<tr>${cells(row, td)}</tr>`)}</tbody></table></div>\n`
          .text
      },
    },
  })
  return marked
}

/** Where a link of a document leads on the site; undefined: the site does not have it. */
function addressOf(href: string, { source, page, suffix, hasFile }: Place): string | undefined {
  if (/^\w+:/.test(href)) return href
  const found = resolveLink(source, href)
  if (found)
    return (
      `${found.page === page ? '' : relative(page, found.page, suffix)}${found.anchor && `#${found.anchor}`}` || '#'
    )
  const file = new URL(href, `file:///${source}`).pathname.slice(1)
  return hasFile(fileOf(file)) ? relative(page, fileOf(file), '') : undefined
}

const LINK = /\]\((?!\w+:)([^)\s]+)\)/g

/** The document as Markdown for programs that read: its links lead to the Markdown of the other pages. */
export function markdownFor(text: string, place: Omit<Place, 'suffix'>): string {
  return text.replaceAll(/<!--.*?-->\n*/gs, '').replaceAll(LINK, (whole, href: string) => {
    const to = addressOf(href, { ...place, suffix: '.md' })
    return to === undefined ? whole : `](${to})`
  })
}
