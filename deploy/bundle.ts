// Makes of the sources what a package and the processes of a checkout run: a few hundred files of plain JavaScript.
import { cp, glob, mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { type Plugin, rolldown } from 'rolldown'

/** What is read while it runs, and never imported. */
const ASSETS = [
  'src/**/*.css',
  'src/docs/assets/*',
  'src/modules/payments/cards/element.js',
  'src/modules/portal/offline/*.js',
  'src/modules/catalogue/data/{panels,texts}.json',
]
const WORKSPACE = /^@kitlane\/(display|lab-reader)\/(.+)$/
const FOLDERS = new Map([
  ['display', 'display'],
  ['lab-reader', 'packages/lab-reader/src'],
])
const TO_ROOT = '__PATH_TO_ROOT__'

/** Writes the compiled form of the sources below `root` into `folder`. Packages stay outside of it, but for `packages`. */
export async function bundle(root: string, folder: string, packages: readonly string[] = []): Promise<void> {
  const { dependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const outside = Object.keys(dependencies).filter((name) => !packages.includes(name))
  const build = await rolldown({
    cwd: root,
    platform: 'node',
    // With either of the two, calls that have no effect are dropped, of which some are there to throw: a `try` around
    // `decodeURIComponent(path)` lost it, and what cannot be decoded was not answered as everything else.
    treeshake: false,
    transform: { target: 'node24' },
    input: { 'src/cli/main': join(root, 'src/cli/main.ts') },
    external: outside.map((name) => new RegExp(`^${name}(/|$)`)),
    // A line of comment for each file: 49 kB of the package.
    experimental: { attachDebugInfo: 'none' },
    plugins: [workspaces(root), placesOfSources(root), data],
    onLog(_level, { message }) {
      throw new Error(message)
    },
  })
  const { output } = await build.write({
    dir: folder,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name].js',
    comments: { legal: true, annotation: false, jsdoc: false },
    minify: false,
  })
  await build.close()
  // What begins with \0 is the bundler's own.
  const known = new RegExp(
    `^(\0|(src|display|client/src|packages/lab-reader/src)/|(.*/)?node_modules/(${packages.join('|') || '-'})/)`,
  )
  const foreign = output
    .flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
    .filter((id) => !known.test(id.startsWith('\0') ? id : relative(root, id)))
  if (foreign.length > 0) throw new Error(`Compiled from elsewhere: ${foreign.join(', ')}`)
  for await (const name of glob(ASSETS, { cwd: root })) {
    const to = join(folder, name)
    await mkdir(dirname(to), { recursive: true })
    // In the sources they stand to be read, a line for each entry.
    if (name.endsWith('.json'))
      await writeFile(to, JSON.stringify(JSON.parse(await readFile(join(root, name), 'utf8'))))
    else await cp(join(root, name), to)
  }
}

/**
 * JSON is read by JSON.parse, in half of the time and without the bytecode that a literal of 570 kB needs. In a template its quotes
 * need no backslash, of which there were 150 kB.
 */
const data: Plugin = {
  name: 'data',
  transform: {
    filter: { id: /\.json$/ },
    handler: (text) => ({
      code: `export default JSON.parse(\`${JSON.stringify(JSON.parse(text)).replace(/[\\`]|\$\{/g, '\\$&')}\`)`,
      moduleType: 'js',
    }),
  },
}

/** The workspaces of this checkout, even where node_modules is that of another one. */
function workspaces(root: string): Plugin {
  return {
    name: 'workspaces',
    resolveId: {
      filter: { id: WORKSPACE },
      handler(id) {
        const [, name = '', path = ''] = WORKSPACE.exec(id) ?? []
        return join(root, FOLDERS.get(name) ?? '', path.endsWith('.json') ? path : `${path}.ts`)
      },
    },
  }
}

/** A module keeps its address, from which it finds what lies beside it: programs, which are compiled too, and assets. */
function placesOfSources(root: string): Plugin {
  return {
    name: 'places-of-sources',
    transform: {
      filter: { id: { exclude: /node_modules/ }, code: /import\.meta\.(url|dirname)/ },
      handler(code, id) {
        const path = relative(root, id)
        const text = code.replace(/new URL\('(\.\/[\w-]+)\.ts', import\.meta\.url\)/g, (_, program: string) => {
          const source = join(dirname(path), program)
          this.emitFile({ type: 'chunk', id: join(root, `${source}.ts`), fileName: `${source}.js` })
          return `new URL('${program}.js', import.meta.url)`
        })
        return text
          .replaceAll('import.meta.url', `new URL('${TO_ROOT}${path}', import.meta.url).href`)
          .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${TO_ROOT}${dirname(path)}')`)
      },
    },
    renderChunk: (code, { fileName }) => code.replaceAll(TO_ROOT, '../'.repeat(fileName.split('/').length - 1)),
  }
}
