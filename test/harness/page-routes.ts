import { readFileSync } from 'node:fs'
import type { ShownPage } from './pages.ts'

interface Route {
  /** From the root: `/app/b/$businessID/$mode/orders`. */
  path: string
  /** The folder of web/src that its page is in: `orders`, or `frame`. */
  folder: string
}

// They lead to another page at once, and show nothing.
const REDIRECTS = ['/app/', '/app/b/$businessID/$mode/developers']

const PAGE = /path: '([^']+)',\s+load: async \(\) =>\s+\(await import\('\.\.\/(?:features\/)?([\w-]+)\//g

/** As the file has them: it loads components, which only a browser can. */
const below = (start: string, file: string): Route[] =>
  [...readFileSync(new URL(`../../web/src/app/${file}.ts`, import.meta.url), 'utf8').matchAll(PAGE)].map(
    ([, path = '', folder = '']) => ({ path: `${start}${path}`, folder }),
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

const partsOf = (path: string): string[] => path.split('/').filter(Boolean)
