// Installs the shops that Kitlane is compared with, each in a folder of its own outside of this project.
import { spawn } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Kept for the next run. */
export const PEERS_FOLDER = join(tmpdir(), 'kitlane-peers')
const INSTALL_MS = 10 * 60_000

export interface Package {
  name: string
  dependencies: Record<string, string>
  overrides?: Record<string, string>
  /** Files of this folder, by the place at which the shop expects them. */
  files: Record<string, string>
}

/** Returns the folder. Installs by npm only what is not there yet. No package runs a script of its own. */
export async function install({ name, dependencies, overrides, files }: Package): Promise<string> {
  const folder = join(PEERS_FOLDER, name)
  await mkdir(folder, { recursive: true })
  const manifest = JSON.stringify({ name: `${name}-peer`, private: true, dependencies, overrides }, null, 2)
  const marker = join(folder, 'installed.json')
  if ((await readFile(marker, 'utf8').catch(() => '')) !== manifest) {
    await writeFile(join(folder, 'package.json'), manifest)
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], { folder, timeoutMs: INSTALL_MS })
    await writeFile(marker, manifest)
  }
  for (const [place, file] of Object.entries(files)) {
    await mkdir(dirname(join(folder, place)), { recursive: true })
    await cp(fileURLToPath(new URL(`./${name}/${file}`, import.meta.url)), join(folder, place))
  }
  return folder
}

/** Runs a program to its end. @throws Error with its output if it fails */
export async function run(
  program: string,
  args: readonly string[],
  { folder, env, timeoutMs }: { folder: string; env?: NodeJS.ProcessEnv; timeoutMs: number },
): Promise<void> {
  const child = spawn(program, args, { cwd: folder, env: env ?? process.env, timeout: timeoutMs })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += text))
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} failed:\n${output.slice(-3000)}`)
}
