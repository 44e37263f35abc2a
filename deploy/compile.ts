// Run by `npm pack`: compiles the server into dist/, because Node strips types only outside of node_modules.
import { spawnSync } from 'node:child_process'
import { cp, glob, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { BUNDLE, readFolder } from '../src/docs/sources.ts'

const root = join(import.meta.dirname, '..')
const dist = join(root, 'dist')

await rm(dist, { recursive: true, force: true })
const { status } = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'deploy'], { cwd: root, stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)

const assets = [
  'src/**/*.css',
  'src/docs/assets/*',
  'src/modules/payments/cards/element.js',
  'src/modules/portal/offline/*.js',
]
for await (const name of glob(assets, { cwd: root })) await cp(join(root, name), join(dist, name))
// In the sources they stand to be read, a line for each entry. Only a test reads the public copies of codes in loinc.json.
for await (const name of glob('src/**/*.json', { cwd: root, exclude: ['**/loinc.json'] }))
  await writeFile(join(dist, name), JSON.stringify(JSON.parse(await readFile(join(root, name), 'utf8'))))
// The OpenAPI documents and all Markdown: 2 MB, of which a service may never read a word.
for (const name of ['openapi.json', 'openapi-dashboard.json', 'openapi-operator.json'])
  await pack(name, await readFile(join(root, name), 'utf8'))
await pack(BUNDLE, JSON.stringify(Object.fromEntries(await readFolder(root))))

for await (const name of glob('**/*.js', { cwd: dist })) {
  const path = join(dist, name)
  const text = rewrite(await readFile(path, 'utf8'), relative(dirname(path), join(dist, 'display')))
  if (/['"]@kitlane\/|\.ts['"],/.test(text)) throw new Error(`${name} refers to what is not in the package`)
  await writeFile(path, text)
}

/** What `readShipped` reads. */
async function pack(name: string, text: string): Promise<void> {
  await writeFile(join(dist, `${name}.br`), brotliCompressSync(text))
}

/** What tsc leaves: the workspace `display`, which the package holds as a folder, and programs that are found by their URL. */
function rewrite(text: string, display: string): string {
  return text
    .replaceAll(/'@kitlane\/display\/([\w-]+)'/g, `'${display}/$1.js'`)
    .replaceAll(/new URL\('(\.\/[\w-]+)\.ts', import\.meta\.url\)/g, "new URL('$1.js', import.meta.url)")
}
