import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)

/** Keeps each asset with brotli alone, as `name.js.br`: compressed once, as small as it goes. The service unpacks it for who takes none. */
export function compressAssets(): Plugin {
  let folder = ''
  return {
    name: 'kitlane-compress',
    apply: 'build',
    configResolved(config) {
      folder = join(config.root, config.build.outDir, config.build.assetsDir)
    },
    async closeBundle() {
      const names = await readdir(folder)
      await Promise.all(
        names.filter((name) => /\.(js|css|svg|json)$/.test(name)).map((name) => pack(join(folder, name))),
      )
    },
  }
}

async function pack(path: string): Promise<void> {
  const bytes = await readFile(path)
  const packed = await brotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } })
  await writeFile(`${path}.br`, packed)
  await rm(path)
}
