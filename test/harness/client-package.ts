import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { cp, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { blocksOf } from './code-blocks.ts'
import { root } from './sources.ts'

const run = promisify(execFile)

export interface InstalledClient {
  /** An empty project in which the packed client is installed. */
  project: string
  tarballBytes: number
}

/** Packs the client as `npm publish` would, and installs it in an empty project, without the registry. */
export async function installClient(folder: string): Promise<InstalledClient> {
  const packed = join(folder, 'packed')
  const project = join(folder, 'project')
  const modules = join(project, 'node_modules')
  for (const one of [packed, modules]) await mkdir(one, { recursive: true })
  await run('npm', ['pack', '--workspace', 'client', '--pack-destination', packed], { cwd: root })
  const tarball = join(packed, (await readdir(packed))[0] ?? '')
  // Its dependencies as they are installed here: npm finds them there.
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    await cp(join(root, 'node_modules', name), join(modules, name), { recursive: true })
  }
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'shop', private: true, type: 'module' }))
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', tarball], { cwd: project })
  return { project, tarballBytes: (await stat(tarball)).size }
}

/** Programs of these names in the folders of PATH, without those that npm puts in front. */
export const onPath = (name: string): string[] =>
  [...(process.env.PATH ?? '').split(delimiter), '/usr/bin', '/usr/local/bin']
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => join(folder, name))
    .filter((path) => existsSync(path))

/** A Node.js of another major version that the client supports. */
export async function otherNode(): Promise<string | undefined> {
  for (const path of onPath('node')) {
    const { stdout } = await run(path, ['--version'])
    const [major = 0, minor = 0] = stdout.slice(1).split('.').map(Number)
    const isSupported = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)
    if (isSupported && !process.version.startsWith(`v${major}.`)) return path
  }
}

/** The TypeScript of a Markdown file, block by block; what a block leaves out comes from the first one. */
export async function codeOf(path: string): Promise<string[]> {
  const blocks = (await blocksOf(path)).filter(({ language }) => language === 'ts')
  const [first = '', ...others] = blocks.map(({ code }) => code)
  const opening = `${first.slice(0, first.indexOf('\nconst made'))}\n`
  return [first, ...others.map((code) => opening + code)]
}
