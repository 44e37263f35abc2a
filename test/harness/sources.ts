import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** A source file, with its path below the root of the repository. */
export interface Source {
  path: string
  text: string
}

export const root = fileURLToPath(new URL('../../', import.meta.url))

let tracked: readonly string[] | undefined

/** Lists every file that git tracks or would add, once a process. In an unpacked archive, every file of it. */
export function trackedFiles(): readonly string[] {
  tracked ??= listFiles()
  return tracked
}

function listFiles(): string[] {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root })
  const paths = listed.status === 0 ? listed.stdout.toString().split('\0').filter(Boolean) : unpacked('')
  return [...new Set(paths)].sort()
}

function unpacked(folder: string): string[] {
  return readdirSync(`${root}${folder}`, { withFileTypes: true }).flatMap((entry) => {
    const isOwn = folder === '' && ['coverage', 'data', '.compiled', '.git', '.env'].includes(entry.name)
    if (isOwn || entry.name === 'node_modules') return []
    if (entry.isDirectory()) return unpacked(`${folder}${entry.name}/`)
    return entry.isFile() ? [`${folder}${entry.name}`] : []
  })
}

export function read(paths: readonly string[]): Source[] {
  return paths.flatMap((path) => {
    try {
      return [{ path, text: readFileSync(`${root}${path}`, 'utf8') }]
    } catch (err) {
      // The file is deleted in the working tree but still in the index.
      if ((err as { code?: string }).code === 'ENOENT') return []
      throw err
    }
  })
}

const bare = new Map<string, string>()

/** Removes comments and keeps line breaks. */
export function withoutComments(text: string): string {
  const known = bare.get(text)
  if (known !== undefined) return known
  const code = removeComments(text)
  bare.set(text, code)
  return code
}

const removeComments = (text: string): string =>
  text.replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, '')).replace(/(^|\s)\/\/[^\n]*/g, '$1')

export interface Import {
  from: string
  /** As written: `./rules.ts`, `zod`. */
  specifier: string
  /** The path of the imported file below the root, or the name of the package. */
  to: string
  typeOnly: boolean
}

const STATIC = /^(?:import|export)\s+(type\s+)?(?:[\w*\s{},$]+?\sfrom\s+)?['"]([^'"]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]/g

const imports = new WeakMap<Source, Import[]>()

/** What a source imports. Dozens of rules ask for it. */
export function importsOf(source: Source): readonly Import[] {
  const known = imports.get(source)
  if (known) return known
  const found = findImports(source)
  imports.set(source, found)
  return found
}

function findImports({ path, text }: Source): Import[] {
  const code = withoutComments(text)
  const found = [
    ...[...code.matchAll(STATIC)].map(([, type, specifier = '']) => ({ specifier, typeOnly: type !== undefined })),
    ...[...code.matchAll(DYNAMIC)].map(([, specifier = '']) => ({ specifier, typeOnly: false })),
  ]
  return found.map((one) => ({ from: path, to: resolve(path, one.specifier), ...one }))
}

function resolve(from: string, specifier: string): string {
  const reader = /^@kitlane\/lab-reader\/(.+)$/.exec(specifier)?.[1]
  if (reader) return `packages/lab-reader/src/${reader.endsWith('.json') ? reader : `${reader}.ts`}`
  if (!specifier.startsWith('.')) return specifier
  return new URL(specifier, `file:///${from}`).pathname.slice(1)
}
