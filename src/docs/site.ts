import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { Marked, type Tokens } from 'marked'
import { Html } from '../platform/http/html.ts'
import { PACKAGE_ROOT, readShipped } from '../platform/package-root.ts'
import { headingsOf, layout, navigationOf, type Page, type SiteMap } from './layout.ts'
import { type FindName, namesOf, pageOf, relative, type Suffix } from './links.ts'
import { markdownFor, renderMarkdown } from './markdown.ts'
import { referenceHtml, referenceMarkdown } from './reference/html.ts'
import { DOCUMENTS, type ReferencePage, referencePages } from './reference/pages.ts'
import { readSources, type Sources } from './sources.ts'

const ASSETS = ['docs.css', 'docs.js', 'icon.svg']
const types: Record<string, string> = {
  css: 'text/css',
  js: 'text/javascript',
  svg: 'image/svg+xml',
  json: 'application/json',
  webp: 'image/webp',
  txt: 'text/plain',
  md: 'text/markdown',
}

/** What an address of the site answers. */
export interface SiteFile {
  contentType: string
  body: Buffer
}

// As long as ten others: its headings are enough.
const headingsOnly = new Set(['changelog'])

/** A script with the index: `[address, title, [[anchor, heading, words], …]]` of each page. A script can be loaded from files too. */
async function searchScript({ pages }: SiteMap, suffix: Suffix): Promise<string> {
  const index: unknown[] = []
  for (const page of pages) {
    // Other requests are answered in between.
    await turn()
    const headings = headingsOf(page.content(suffix))
    const entries = headings.map(({ id, depth, text, words }) => [
      depth === 1 ? '' : id,
      text,
      headingsOnly.has(page.path) ? '' : distinct(words),
    ])
    index.push([relative('', page.path, suffix), page.title, entries])
  }
  return `globalThis.docsIndex = ${JSON.stringify(index)}\n`
}

function distinct(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_.-]{3,40}/gu) ?? []
  return [...new Set(words.map((word) => word.replace(/^[.-]+|[.-]+$/g, '')))].join(' ')
}

/** The documentation as a site. It is made once; each page is rendered when it is asked for. */
export class DocsSite implements SiteMap {
  readonly navigation: SiteMap['navigation']
  readonly pages: SiteMap['pages']
  readonly #byPath: ReadonlyMap<string, Page>

  private constructor(sources: Sources, reference: readonly ReferencePage[]) {
    this.navigation = navigationOf(sources.get('docs/README.md') ?? '', reference)
    const codes = [...(sources.get('docs/errors.md') ?? '').matchAll(/^## ([A-Z_]+)$/gm)].map(([, code = '']) => code)
    const findName = namesOf(
      reference.map(({ path, listed }) => ({ page: path, listed })),
      codes,
    )
    const all = [
      ...[...sources].map(([source, text]) => documentPage(source, text, findName)),
      decisionsPage(sources, findName),
      ...reference.map((one) => referencePage(one, findName)),
    ]
    const known = new Map(all.map((page) => [page.path, page]))
    const listed = this.navigation.flatMap(({ entries }) => entries.flatMap(({ page }) => known.get(page) ?? []))
    this.pages = [...new Set([...all.filter(({ path }) => path === ''), ...listed, ...all])]
    this.#byPath = known
  }

  static async open(): Promise<DocsSite> {
    const [sources, reference] = await Promise.all([readSources(), referencePages()])
    return new DocsSite(sources, reference)
  }

  /** A page, asset or text by its path below /docs; undefined if it does not exist. `suffix` is that of links in pages. */
  async find(path: string, suffix: Suffix = ''): Promise<SiteFile | undefined> {
    const page = this.#byPath.get(path)
    if (page) return fileOf('text/html', layout(this, page, suffix).text)
    const described = path.endsWith('.md') && this.#byPath.get(path.replace(/(^|(?<=\/))index\.md$|\.md$/, ''))
    if (described) return fileOf(types.md, described.markdown())
    if (path === 'search.js') return fileOf(types.js, await searchScript(this, suffix))
    if (path === 'llms.txt') return fileOf(types.txt, llmsText(this, ''))
    // The same at the root of a service.
    if (path === '../llms.txt') return fileOf(types.txt, llmsText(this, 'docs/'))
    if (isDocument(path)) return fileOf(types.json, await readShipped(path))
    const place = placeOfFile(path)
    return place ? { contentType: typeOf(path), body: await readFile(place) } : undefined
  }

  /** Paths of everything beside pages that the site consists of. */
  files(): string[] {
    const pictures = ['sign-in', 'operator', 'business', 'kit', 'review', 'recipient']
      .map((name) => `images/${name}.webp`)
      .filter(placeOfFile)
    return [...ASSETS, ...DOCUMENTS, ...pictures, 'search.js', 'llms.txt']
  }
}

/** The index of all pages for language models, as llmstxt.org describes it. `base`: what stands before the paths. */
function llmsText({ navigation, pages }: SiteMap, base: string): string {
  const lineOf = (path: string, label: string) => {
    const page = pages.find((one) => one.path === path)
    const words = (page?.description ?? '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    return `- [${label}](${base}${path === '' || path.endsWith('/') ? `${path}index` : path}.md)${words && `: ${words}`}`
  }
  const groups = navigation.map(
    ({ title, entries }) => `## ${title}\n\n${entries.map(({ page, label }) => lineOf(page, label)).join('\n')}`,
  )
  const about =
    'Open, self-hosted software for companies that send health test kits to people: orders, kits, results and reports by an API.'
  const machines = `The whole API for programs: [for businesses](${base}openapi.json), [for the operator](${base}openapi-operator.json), [what only people who signed in may do](${base}openapi-dashboard.json).`
  return `# Kitlane\n\n> ${about}\n\n${machines}\n\n${groups.join('\n\n')}\n`
}

const typeOf = (path: string) => {
  const type = types[path.slice(path.lastIndexOf('.') + 1)] ?? 'application/octet-stream'
  return /^text|json$/.test(type) ? `${type}; charset=utf-8` : type
}
const fileOf = (type = 'text/plain', text: string): SiteFile => ({
  contentType: `${type}; charset=utf-8`,
  body: Buffer.from(text),
})

/** Where a file of the site is on the disk. Pictures are in a checkout only. */
function placeOfFile(path: string): string | undefined {
  if (ASSETS.includes(path)) return join(import.meta.dirname, 'assets', path)
  const picture = join(PACKAGE_ROOT, 'docs', path)
  return /^images\/[\w-]+\.webp$/.test(path) && existsSync(picture) ? picture : undefined
}

const isDocument = (path: string) => DOCUMENTS.some((name) => name === path)
const hasFile = (path: string) => isDocument(path) || placeOfFile(path) !== undefined

function documentPage(source: string, text: string, findName: FindName): Page {
  const path = pageOf(source) ?? source
  const isText = !source.endsWith('.md')
  const whole = isText ? `# Notice\n\n\`\`\`text\n${text}\n\`\`\`\n` : text
  const place = { source, page: path, hasFile, findName }
  return {
    path,
    ...titleOf(whole, path),
    isReference: false,
    content: (suffix) => renderMarkdown(whole, { ...place, suffix }),
    markdown: () => markdownFor(whole, place),
  }
}

/** The first heading, and the first sentence below it. */
function titleOf(text: string, fallback: string): { title: string; description: string } {
  const tokens = new Marked().lexer(text)
  const heading = tokens.find(({ type }) => type === 'heading') as Tokens.Heading | undefined
  const paragraph = tokens.find(({ type }) => type === 'paragraph') as Tokens.Paragraph | undefined
  const plain = (paragraph?.text ?? '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').replaceAll(/[`*]/g, '')
  const sentence = /^.*?[.:](?=\s|$)/s.exec(plain)?.[0] ?? plain
  return {
    title: (heading?.text ?? fallback).replaceAll('`', ''),
    description: sentence.replaceAll(/\s+/g, ' ').replace(/:$/, '.'),
  }
}

const DECISIONS = 'docs/decisions/'

/** The list of all decisions, which the repository has as a folder. */
function decisionsPage(sources: Sources, findName: FindName): Page {
  const decisions = [...sources].filter(([source]) => source.startsWith(DECISIONS))
  const lines = decisions.map(
    ([source, text]) => `- [${titleOf(text, source).title}](${source.slice(DECISIONS.length)})`,
  )
  const text = `# Decisions\n\nWhy the design is as it is, one page each.\n\n${lines.join('\n')}\n`
  return { ...documentPage(`${DECISIONS}index.md`, text, findName), path: 'decisions/' }
}

function referencePage({ path, title, about, operations, group }: ReferencePage, findName: FindName): Page {
  const place = { source: `docs/${path}.md`, page: path, hasFile, findName }
  const shown = group === 'Operator API' ? `Operator: ${title}` : title
  const [description = ''] = about.split('\n', 1)
  return {
    path,
    title: shown,
    description,
    isReference: true,
    content: (suffix) => new Html(referenceHtml(shown, about, operations(), { ...place, suffix }).text),
    markdown: () => referenceMarkdown(shown, markdownFor(about, place), operations()),
  }
}
