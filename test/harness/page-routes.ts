import { readFileSync } from 'node:fs'
import type { ShownPage } from './pages.ts'
import { importsOf, read } from './sources.ts'

interface Route {
  /** From the root: `/app/b/$businessID/$mode/orders`. */
  path: string
  /** The folder of web/src that its page is in: `orders`, or `frame`. */
  folder: string
  /** Its source file, from the root of the repository. */
  file: string
}

// They lead to another page at once, and show nothing.
const REDIRECTS = ['/app/', '/app/b/$businessID/$mode/developers']

const PAGE = /path: '([^']+)',\s+load: async \(\) =>\s+\(await import\('\.\.\/((?:features\/)?([\w-]+)\/[^']+)'/g

/** As the file has them: it loads components, which only a browser can. */
const below = (start: string, file: string): Route[] =>
  [...readFileSync(new URL(`../../web/src/app/${file}.ts`, import.meta.url), 'utf8').matchAll(PAGE)].map(
    ([, path = '', file = '', folder = '']) => ({ path: `${start}${path}`, folder, file: `web/src/${file}` }),
  )

/** Every page of the dashboard that shows something. */
export const routes: readonly Route[] = [
  ...below('/app', 'person-pages'),
  ...below('/app/b/$businessID/$mode', 'business-pages'),
  ...below('/app/operator', 'operator-pages'),
].filter(({ path }) => !REDIRECTS.includes(path))

/** The route of a page that tests open: the one with the most parts that are written out. */
export function routeOf({ path }: ShownPage): Route | undefined {
  const parts = partsOf(path.replace(/[?#].*/, ''))
  const written = (route: Route) => partsOf(route.path).filter((part) => !part.startsWith('$')).length
  return routes
    .filter((route) => {
      const wanted = partsOf(route.path)
      return wanted.length === parts.length && wanted.every((part, at) => part.startsWith('$') || part === parts[at])
    })
    .sort((a, b) => written(b) - written(a))[0]
}

// What makes most of a page: how it is read, walked with the keyboard, and put into a narrow window.
const BUILDERS = ['data-table', 'two-columns', 'result-list', 'wide-table', 'csv-source', 'station/scan-field']
const COMPONENT = /^web\/src\/components\/(.*)\.tsx$/

/** What a page has in common with others: its frame, and which of the large components its code uses. */
export function shapeOf(page: ShownPage): string {
  const [, , frame = ''] = page.path.split(/[/?#]/)
  const { file } = routeOf(page) ?? {}
  const used = file === undefined ? [] : [...componentsOf(file)]
  return [['b', 'operator'].includes(frame) ? frame : 'none', ...BUILDERS.filter((name) => used.includes(name))].join(
    ' ',
  )
}

/** The components that a source file shows, by itself and by what it imports of the features. */
function componentsOf(path: string, seen = new Set<string>()): Set<string> {
  const found = new Set<string>()
  for (const { to } of read([path]).flatMap(importsOf)) {
    const [, name] = COMPONENT.exec(to) ?? []
    if (name) found.add(name)
    if (name || seen.has(to) || !/^web\/src\/(features|frame)\/.*\.tsx$/.test(to)) continue
    seen.add(to)
    for (const inner of componentsOf(to, seen)) found.add(inner)
  }
  return found
}

const partsOf = (path: string): string[] => path.split('/').filter(Boolean)
