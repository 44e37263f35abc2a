import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { packPython } from '../../deploy/python-archive.ts'
import { onPath } from './client-package.ts'
import { root } from './sources.ts'

const run = promisify(execFile)

const path = 'import sys; print(sys.executable)'

/** A Python that the client supports; undefined if it does not exist. */
export const python = find(`${path}; assert sys.version_info >= (3, 9)`)

/** One that can install packages without the internet; undefined if it does not exist. */
export const installingPython = find(`${path}; import setuptools, wheel, pip`)

/** Installs the Python client of a release into a folder, without the registry. */
export async function installPythonClient(program: string, folder: string): Promise<string> {
  const installed = join(folder, 'installed')
  const archive = await packPython(folder)
  const offline = ['--no-index', '--no-build-isolation', '--no-deps', '--disable-pip-version-check']
  await run(program, ['-m', 'pip', 'install', '--quiet', ...offline, '--target', installed, archive], {
    env: { ...process.env, PIP_ROOT_USER_ACTION: 'ignore', PYTHONDONTWRITEBYTECODE: '1' },
  })
  return installed
}

/** Runs a program of Python's with the client of this checkout, or an installed one. Answers what it printed. */
export async function runPython(
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = root,
): Promise<{ code: number; stdout: string; stderr: string }> {
  const own = { PATH: process.env.PATH, PYTHONPATH: join(root, 'client-python'), PYTHONDONTWRITEBYTECODE: '1' }
  try {
    return { code: 0, ...(await run(python ?? 'python3', args, { cwd, env: { ...own, ...env } })) }
  } catch (err) {
    const { code, stdout, stderr } = err as { code: number; stdout: string; stderr: string }
    return { code, stdout, stderr }
  }
}

/** The program itself, not what stands before it on PATH: that takes longer to start. */
function find(code: string): string | undefined {
  for (const one of onPath('python3')) {
    try {
      return execFileSync(one, ['-c', code], { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' }).trim()
    } catch {
      // Another one on PATH may do.
    }
  }
}
