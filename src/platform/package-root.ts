import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'

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

/** Whether this is a checkout of the repository, and no package that was compiled from it. */
export const isCheckout = existsSync(join(PACKAGE_ROOT, 'src'))

/** A text of the release by its name. A package has it compressed: deploy/compile.ts writes it. */
export async function readShipped(name: string): Promise<string> {
  if (isCheckout) return readFile(join(PACKAGE_ROOT, name), 'utf8')
  const packed = await readFile(join(PACKAGE_ROOT, 'dist', `${name}.br`))
  return (await promisify(brotliDecompress)(packed)).toString('utf8')
}
