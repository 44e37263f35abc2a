import { setImmediate as turn } from 'node:timers/promises'
import { relative, type Suffix } from './links.ts'
import type { SiteMap } from './navigation.ts'
import { headingsOf } from './page.ts'

// As long as ten others: its headings are enough.
const headingsOnly = new Set(['changelog'])

/** A script with the index: `[address, title, [[anchor, heading, words], …]]` of each page. A script can be loaded from files too. */
export async function searchScript({ pages }: SiteMap, suffix: Suffix): Promise<string> {
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
