// Run by `npm pack`: compiles the server into dist/, because Node strips types only outside of node_modules.
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { BUNDLE, readFolder } from '../src/docs/sources.ts'
import { bundle } from './bundle.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

await rm(dist, { recursive: true, force: true })
await bundle(root, dist)
// The OpenAPI documents and all Markdown: 2 MB, of which a service may never read a word.
for (const name of ['openapi.json', 'openapi-dashboard.json', 'openapi-operator.json'])
  await pack(name, await readFile(join(root, name), 'utf8'))
await pack(BUNDLE, JSON.stringify(Object.fromEntries(await readFolder(root))))

/** What `readShipped` reads. */
async function pack(name: string, text: string): Promise<void> {
  await writeFile(join(dist, `${name}.br`), brotliCompressSync(text))
}
