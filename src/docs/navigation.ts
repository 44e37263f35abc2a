import { resolveLink } from './links.ts'
import type { Page } from './page.ts'
import type { ReferencePage } from './reference/pages.ts'

export interface NavGroup {
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
