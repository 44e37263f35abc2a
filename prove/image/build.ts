import { execFileSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildah } from './programs.ts'

const HOW = ['--quiet', '--pull-never', '--layers', '--format', 'docker', '--isolation', 'chroot', '--network', 'host']

/** Our own Dockerfile, the same as for everybody. The cache and settings of this machine's npm are lent to the build. */
export async function buildImage(root: string, base: string, image: string, folder: string): Promise<void> {
  const config = (name: string) => execFileSync('npm', ['config', 'get', name], { encoding: 'utf8' }).trim()
  const cafile = config('cafile')
  const npmrc = join(folder, 'npmrc')
  await writeFile(npmrc, cafile === 'null' ? '' : `cafile=${cafile}\n`)
  const cache = config('cache')
  await mkdir(cache, { recursive: true })
  const lent = ['--volume', `${cache}:/root/.npm`, ...(cafile === 'null' ? [] : ['--volume', `${cafile}:${cafile}:ro`])]
  buildFrom(root, base, image, ...lent, '--secret', `id=npmrc,src=${npmrc}`)
}

/** Any Dockerfile, on another base than the one that it names. */
export function buildFrom(context: string, base: string, image: string, ...more: string[]): void {
  buildah('build', ...HOW, ...more, '--build-arg', `BASE=${base}`, '-t', image, context)
}
