import { readFileSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { Source } from './sources.ts'

const PACKAGE = resolve(import.meta.dirname, '../../node_modules/@mantine/core')
const ESM = join(PACKAGE, 'esm')

const importsOf = (path: string): string[] =>
  [...readFileSync(path, 'utf8').matchAll(/(?:from|import) "(\.[^"]+)"/g)].map(([, to = '']) => join(dirname(path), to))

/** Where each name that @mantine/core exports is defined. */
function definitions(): Map<string, string> {
  const index = readFileSync(join(ESM, 'index.mjs'), 'utf8')
  return new Map(
    [...index.matchAll(/import \{ ([^}]+) \} from "(\.[^"]+)"/g)].flatMap(([, names = '', path = '']) =>
      names.split(', ').map((name): [string, string] => [name.split(' as ').at(-1) ?? name, join(ESM, path)]),
    ),
  )
}

/** What these sources, and the other packages of Mantine, import from @mantine/core; types are no matter. */
export const mantineNames = (sources: readonly Source[]): string[] => [
  ...new Set(
    sources.flatMap(({ text }) =>
      [...text.matchAll(/import \{([^}]+)\} from ['"]@mantine\/core['"]/g)].flatMap(([, names = '']) =>
        names
          .split(',')
          .map((name) => name.trim())
          .filter((name) => name !== '' && !name.startsWith('type ')),
      ),
    ),
  ),
]

/** The styles that these components need, with those that they are made of: `Button` needs `UnstyledButton` too. */
export function stylesOf(names: readonly string[]): string[] {
  const where = definitions()
  const seen = new Set<string>()
  const open = names.flatMap((name) => where.get(name) ?? [])
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    if (seen.has(path)) continue
    seen.add(path)
    open.push(...importsOf(path))
  }
  return [...seen].flatMap((path) => /^(\w+)\.module\.mjs$/.exec(basename(path))?.[1] ?? []).sort()
}

/** All styles of @mantine/core in its own order: where a component is made of others, its rules come after theirs. */
export function orderOfStyles(names: readonly string[]): string[] {
  const whole = readFileSync(join(PACKAGE, 'styles.css'), 'utf8')
  const at = (name: string) => whole.indexOf(readFileSync(join(PACKAGE, `styles/${name}.css`), 'utf8').slice(0, 200))
  return [...names].sort((a, b) => at(a) - at(b))
}
