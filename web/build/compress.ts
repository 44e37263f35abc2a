import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)
// Below this a compressed answer saves no packet.
const MIN_BYTES = 1000

/** Writes `.br` and `.gz` beside each asset: compressed once, as small as it goes, instead of with each answer. */
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
        names.filter((name) => /\.(js|css|svg|json)$/.test(name)).map((name) => compress(join(folder, name))),
      )
    },
  }
}

async function compress(path: string): Promise<void> {
  const bytes = await readFile(path)
  if (bytes.length < MIN_BYTES) return
  const [small, smaller] = await Promise.all([
    zip(bytes, { level: constants.Z_BEST_COMPRESSION }),
    brotli(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }),
  ])
  await Promise.all([writeFile(`${path}.gz`, small), writeFile(`${path}.br`, smaller)])
}
