import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildDocs } from '../../src/docs/build.ts'
import { DocsSite } from '../../src/docs/site.ts'
import { root } from '../harness/sources.ts'

let site: DocsSite
let folder: string
/** By their path: what a service answers, without and with `.md`, and what was written as files. */
const served = new Map<string, string>()
const written = new Map<string, string>()

beforeAll(async () => {
  site = await DocsSite.open()
  for (const { path } of site.pages) {
    for (const one of [path, `${path === '' || path.endsWith('/') ? `${path}index` : path}.md`]) {
      served.set(one, String((await site.find(one))?.body))
    }
  }
  // The index for the search is read as files have it.
  for (const path of site.files().filter((one) => one !== 'search.js'))
    served.set(path, String((await site.find(path))?.body))
  folder = await mkdtemp(join(tmpdir(), 'kitlane-docs-'))
  await buildDocs(folder)
  for (const name of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!name.isFile()) continue
    const path = posix.join(name.parentPath.slice(folder.length + 1), name.name)
    written.set(path, await readFile(join(name.parentPath, name.name), 'utf8'))
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const isHtml = (text: string) => text.startsWith('<!doctype html>')
const idsOf = (text: string) => [...text.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id)
const attributes = (text: string) => [...text.matchAll(/ (?:href|src)="([^"]*)"/g)].map(([, to = '']) => to)

/** Links of pages that lead to no page, or to no place in it. */
function broken(pages: ReadonlyMap<string, string>): string[] {
  const anchors = new Map([...pages].map(([path, text]) => [path, new Set(idsOf(text))]))
  return [...pages].flatMap(([path, text]) =>
    !isHtml(text)
      ? []
      : attributes(text).flatMap((link) => {
          if (/^https?:/.test(link)) return []
          const { pathname, hash } = new URL(link, `http://docs/${path}`)
          const target = anchors.get(decodeURIComponent(pathname.slice(1)))
          const anchor = decodeURIComponent(hash.slice(1))
          const isThere = target !== undefined && (anchor === '' || target.has(anchor))
          return isThere ? [] : [`${path} → ${link}`]
        }),
  )
}

describe('the documentation', () => {
  it('has no link that leads nowhere, as a service shows it and as files', () => {
    expect(site.pages.length).toBeGreaterThan(90)
    expect(broken(served)).toEqual([])
    expect(broken(written)).toEqual([])
    const wrong = new Map([
      ['a', '<!doctype html><a href="b#c"> <a href="d">'],
      ['b', '<!doctype html>'],
    ])
    expect(broken(wrong)).toEqual(['a → b#c', 'a → d'])
  })

  it('has no link that leads nowhere in what programs read of it', () => {
    const texts = [...served].filter(([path]) => path.endsWith('.md') || path === 'llms.txt')
    expect(texts.length).toBeGreaterThan(90)
    const lost = texts.flatMap(([path, text]) =>
      [...text.matchAll(/\]\((?!\w+:|#)([^)\s#]+\.md)[^)]*\)/g)].flatMap(([link, to = '']) =>
        served.has(new URL(to, `http://docs/${path}`).pathname.slice(1)) ? [] : [`${path}: ${link}`],
      ),
    )
    expect(lost).toEqual([])
    const listed = served.get('llms.txt') ?? ''
    for (const page of ['quickstart/webhooks.md', 'reference/orders.md', 'errors.md'])
      expect(listed).toContain(`(${page})`)
  })

  it('says the same as a service and as files', () => {
    const text = (markup = '') => markup.replaceAll(/<[^>]+>/g, '')
    const pages = [...served].filter(([, one]) => isHtml(one))
    const named = (path: string) => `${path === '' || path.endsWith('/') ? `${path}index` : path}.html`
    expect(pages.filter(([path, one]) => text(one) !== text(written.get(named(path)))).map(([path]) => path)).toEqual(
      [],
    )
  })

  it('runs no script and has no style but those in files of their own', () => {
    const inline =
      /<script(?! src="[\w./]+docs\.js"><\/script>| src="docs\.js"><\/script>)|<style| style="| on\w+="|javascript:/
    const pages = [...served].filter(([, text]) => isHtml(text))
    expect(
      pages.filter(([, text]) => inline.test(text.replaceAll(/<pre.*?<\/pre>/gs, ''))).map(([path]) => path),
    ).toEqual([])
    expect(inline.test('<a onclick="x">')).toBe(true)
  })

  it.for([
    ['openapi.json', 130],
    ['openapi-dashboard.json', 40],
    ['openapi-operator.json', 110],
  ] as const)('has a place for each operation, tag and event of %s', async ([name, atLeast]) => {
    const { paths, tags, webhooks = {} } = JSON.parse(await readFile(join(root, name), 'utf8'))
    const reference = [...served].filter(([path, text]) => path.startsWith('reference/') && isHtml(text))
    const all = reference.map(([, text]) => text).join('')
    const ids = Object.values<Record<string, { operationId: string }>>(paths).flatMap((methods) =>
      Object.values(methods).map(({ operationId }) => operationId),
    )
    expect(ids.length).toBeGreaterThan(atLeast)
    expect([...ids, ...Object.keys(webhooks)].filter((id) => !all.includes(`<h2 id="${id}">`))).toEqual([])
    expect(reference.length).toBeGreaterThan(tags.length)
  })

  it('shows of an operation its scope, fields, examples, client call and error codes', () => {
    const orders = served.get('reference/orders') ?? ''
    const create = orders.slice(orders.indexOf('<h2 id="createOrder">'), orders.indexOf('<h2 id="quoteOrders">'))
    for (const shown of [
      'Scope <code>orders:write</code>',
      '<code class="name">recipient</code>',
      '<code class="name">zip</code>',
      'whole number, 1 to 1,000, default 1',
      'kitlane.orders.create(',
      'create-order&quot;</span> \\\n',
      '../errors#kit_type_not_provisioned',
      '../errors#rate_limited',
      'Answer 202',
    ]) {
      expect(create).toContain(shown)
    }
    const events = served.get('reference/webhook-events') ?? ''
    expect(events).toContain('<span class="s">&quot;kit.updated&quot;</span>')
    const text = served.get('reference/orders.md') ?? ''
    expect(text).toContain('`POST /api/v1/create-order`')
    // One that the route declares, and one that every route has.
    expect(text).toContain('- 402 `PAYMENT_FAILED`: The card was declined')
    expect(text).toContain('- 429 `RATE_LIMITED`: There were too many requests')
  })

  it('finds by its search what pages say', () => {
    const index: [string, string, [string, string, string][]][] = JSON.parse(
      (written.get('search.js') ?? '').replace('globalThis.docsIndex = ', ''),
    )
    expect(index).toHaveLength(site.pages.length)
    const found = index.flatMap(([address, , parts]) =>
      parts.flatMap(([anchor, , words]) =>
        ` ${words} `.includes(' kitlane-simulate ') ? [`${address}#${anchor}`] : [],
      ),
    )
    expect(found).toContain('requests.html#failures-on-request-in-the-sandbox')
  })

  it('keeps the list of every page of the repository: none is left out of the navigation but decisions', () => {
    const listed = new Set(site.navigation.flatMap(({ entries }) => entries.map(({ page }) => page)))
    const others = site.pages.map(({ path }) => path).filter((path) => path !== '' && !path.startsWith('decisions/'))
    expect(others.filter((path) => !listed.has(path))).toEqual([])
  })
})
