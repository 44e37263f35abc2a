import { existsSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { expect, it } from 'vitest'
import { read, root, type Source, trackedFiles } from '../harness/sources.ts'

const tracked = trackedFiles()
const documents = read(tracked.filter((path) => path.endsWith('.md')))
const textOf = new Map(documents.map(({ path, text }) => [path, text]))

/** The anchor that GitHub creates for a heading. */
const anchorOf = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')

const anchorsOf = (text: string) => [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading))

function brokenLinks({ path, text }: Source): string[] {
  const links = [...text.matchAll(/\]\((?!\w+:)([^)#\s]*)(?:#([^)\s]*))?\)/g)]
  return links.flatMap(([link, to, anchor]) => {
    const target = to ? normalize(join(dirname(path), to)) : path
    if (!existsSync(join(root, target))) return [`${path}: ${link}`]
    return anchor && !anchorsOf(textOf.get(target) ?? '').includes(anchor) ? [`${path}: ${link}`] : []
  })
}

it('every link of a document leads to a file, and to a heading in it', () => {
  expect(documents.length).toBeGreaterThan(20)
  expect(documents.flatMap(brokenLinks)).toEqual([])
  const wrong = { path: 'NOTES.md', text: '[a](nowhere.md) [b](README.md#nowhere) [c](README.md#start)' }
  expect(brokenLinks(wrong)).toHaveLength(2)
})

it('docs/README.md names every document, but leaves the decisions to their folder', () => {
  const index = textOf.get('docs/README.md') ?? ''
  const own = documents.map(({ path }) => path).filter((path) => /^docs\/(?!README)[\w-]+\.md$/.test(path))
  expect(own.filter((path) => !index.includes(`](${path.slice('docs/'.length)}`))).toEqual([])
})

// `orders/placement.ts` is enough where one file is called that.
const named = /`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|tsx|js|sql|md|json))`/g

it('every file that a document names exists', () => {
  const missing = documents
    .filter(({ path }) => path !== 'CHANGELOG.md')
    .flatMap(({ path, text }) => [...text.matchAll(named)].map(([, file = '']) => ({ path, file })))
    .filter(({ file }) => !tracked.some((one) => one === file || one.endsWith(`/${file}`)))
  expect(missing).toEqual([])
})

it('every document that the code names exists', () => {
  const sources = read(tracked.filter((path) => /\.(tsx?|js|sql)$/.test(path)))
  const names = sources.flatMap(({ text }) => text.match(/\bdocs\/[\w/-]+\.md\b/g) ?? [])
  expect(names.length).toBeGreaterThan(5)
  expect([...new Set(names)].filter((path) => !existsSync(join(root, path)))).toEqual([])
})

it('every decision has a number of its own', () => {
  const numbers = documents.flatMap(({ path }) => /^docs\/decisions\/(\d{4})-/.exec(path)?.[1] ?? [])
  expect(numbers.length).toBeGreaterThan(10)
  expect(numbers).toEqual([...new Set(numbers)])
})

it('ARCHITECTURE.md is read in ten minutes: at most 2,000 words', () => {
  expect((textOf.get('ARCHITECTURE.md') ?? '').split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(2000)
})
