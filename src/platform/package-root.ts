import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder of package.json. Sources and what they are compiled to lie below it, and read what is beside them from here. */
export const PACKAGE_ROOT = folderWith('package.json', import.meta.dirname)

/** The version of this release, as in package.json. */
export const { version: VERSION }: { version: string } = JSON.parse(
  readFileSync(join(PACKAGE_ROOT, 'package.json'), 'utf8'),
)

function folderWith(name: string, start: string): string {
  for (let folder = start; ; folder = dirname(folder)) {
    if (existsSync(join(folder, name))) return folder
    if (folder === dirname(folder)) throw new Error(`There is no ${name} above ${start}`)
  }
}
