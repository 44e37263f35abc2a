import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isCheckout, PACKAGE_ROOT, readShipped } from '../platform/package-root.ts'

/** Markdown by its path in the repository. */
export type Sources = ReadonlyMap<string, string>

/** All Markdown in one file, as a package has it: deploy/compile.ts writes it. */
export const BUNDLE = 'docs.json'

// Beside what docs/ has.
const others = [
  'README.md',
  'client/README.md',
  'client-python/README.md',
  'examples/README.md',
  'CHANGELOG.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'NOTICE',
]

/** The documents of this release: those of the package, or of the checkout that runs. */
export async function readSources(): Promise<Sources> {
  if (isCheckout) return readFolder(PACKAGE_ROOT)
  return new Map(Object.entries<string>(JSON.parse(await readShipped(BUNDLE))))
}

/** The documents of a checkout. */
export async function readFolder(root: string): Promise<Sources> {
  const found = await readdir(join(root, 'docs'), { recursive: true })
  const names = found.filter((name) => name.endsWith('.md')).map((name) => `docs/${name.replaceAll('\\', '/')}`)
  const paths = [...names.sort(), ...others]
  return new Map(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(root, path), 'utf8')] as const)),
  )
}
