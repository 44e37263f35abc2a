import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makeFolder } from '../platform/key-file.ts'
import { DocsSite } from './site.ts'

/** Writes the documentation as files that any web server, or none, can show. Returns how many pages there are. */
export async function buildDocs(folder: string): Promise<{ pages: number; files: number }> {
  const site = await DocsSite.open()
  const names = (path: string) => (path === '' || path.endsWith('/') ? `${path}index` : path)
  const files = [
    ...site.pages.flatMap(({ path }) => [
      [path, `${names(path)}.html`] as const,
      [`${names(path)}.md`, `${names(path)}.md`] as const,
    ]),
    ...site.files().map((name) => [name, name] as const),
  ]
  for (const [path, name] of files) {
    const file = await site.find(path, '.html')
    if (!file) throw new Error(`The documentation has no ${path}`)
    const to = join(folder, name)
    makeFolder(dirname(to))
    await writeFile(to, file.body)
  }
  return { pages: site.pages.length, files: files.length }
}
