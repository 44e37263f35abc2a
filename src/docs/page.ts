import type { Html } from '../platform/http/html.ts'
import type { Suffix } from './links.ts'

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

export interface Heading {
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
