import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliDecompress } from 'node:zlib'
import { PACKAGE_ROOT } from './package-root.ts'

/** Whether this is a checkout of the repository, and no package that was compiled from it. */
export const isCheckout = existsSync(join(PACKAGE_ROOT, 'src'))

/** A text of the release by its name. A package has it compressed: deploy/compile.ts writes it. */
export async function readShipped(name: string): Promise<string> {
  if (isCheckout) return readFile(join(PACKAGE_ROOT, name), 'utf8')
  const packed = await readFile(join(PACKAGE_ROOT, 'dist', `${name}.br`))
  return (await promisify(brotliDecompress)(packed)).toString('utf8')
}
