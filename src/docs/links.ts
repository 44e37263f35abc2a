import { posix } from 'node:path'
import type { Listed } from './reference/document.ts'

/** How pages refer to one another: a service leaves `.html` out, files need it. */
export type Suffix = '' | '.html' | '.md'

const renamed: Record<string, string> = {
  'docs/README.md': '',
  'README.md': 'overview',
  'client/README.md': 'client',
  'client-python/README.md': 'client-python',
  'examples/README.md': 'examples',
  'SECURITY.md': 'vulnerabilities',
  NOTICE: 'notice',
  'docs/decisions': 'decisions/',
}

/** The path of the page that a document becomes; undefined: it is no page. */
export function pageOf(source: string): string | undefined {
  const known = renamed[source]
  if (known !== undefined) return known
  const path = /^(?:docs\/)?([\w/-]+)\.md$/.exec(source)?.[1]
  return path && (source.startsWith('docs/') || !path.includes('/')) ? path.toLowerCase() : undefined
}

/** The address of a page, seen from another one. */
export function relative(from: string, to: string, suffix: Suffix): string {
  const file = to === '' || to.endsWith('/') ? `${to}${suffix ? `index${suffix}` : ''}` : to + suffix
  const folder = from.includes('/') ? from.slice(0, from.lastIndexOf('/')) : ''
  const path = posix.relative(`/${folder}`, `/${file}`)
  const isFolder = file === '' || file.endsWith('/')
  return isFolder ? `${path ? `${path}/` : './'}` : path
}

/** A link as a document has it, from the place of its page. `undefined`: it leads out of the site. */
export function resolveLink(source: string, target: string): { page: string; anchor: string } | undefined {
  const [path = '', anchor = ''] = target.split('#', 2)
  const file = path ? posix.normalize(posix.join(posix.dirname(source), path)) : source
  const page = pageOf(file.replace(/\/$/, ''))
  return page === undefined ? undefined : { page, anchor }
}

interface Target {
  page: string
  anchor: string
}

/** Where a name in a document is explained: a call, an event or an error code. */
export type FindName = (code: string) => Target | undefined

// `{kitID}` in one document is `:id` in another.
const keyOf = (method: string, path: string) =>
  `${method} ${path.replace(/^\/api\/v1(?=\/)/, '').replaceAll(/\{\w+\}|:\w+/g, '{}')}`

/** Finds what documents call by name, so that they need no links that only the site could follow. */
export function namesOf(
  places: readonly { page: string; listed: readonly Listed[] }[],
  errorCodes: readonly string[],
): FindName {
  const known = new Map<string, Target>(
    errorCodes.map((code) => [code, { page: 'errors', anchor: code.toLowerCase() }]),
  )
  for (const { page, listed } of places) {
    for (const { method, path, operation } of listed) {
      if (method === 'EVENT') known.set(path, { page, anchor: path })
      else known.set(keyOf(method, path), { page, anchor: operation.operationId })
    }
  }
  return (code) => {
    const [, method = '', path = ''] = /^([A-Z]+) (\/[^?\s]*)(?:\?\S*)?$/.exec(code) ?? []
    return known.get(method ? keyOf(method, path) : code)
  }
}
