import { execFileSync } from 'node:child_process'
import { cp, mkdir, realpath, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buildah, hasImage } from './programs.ts'

const DEBIAN = 'localhost/kitlane-debian:bookworm'
const NAME = 'localhost/kitlane-base:24'

/** Debian's packages, for machines without a registry of images. Made once. */
export function makeDebian(folder: string): string {
  if (hasImage(DEBIAN)) return DEBIAN
  const debian = join(folder, 'debian.tar')
  const debianNeeds = '--include=ca-certificates,libstdc++6'
  execFileSync('mmdebstrap', ['--quiet', '--mode=root', '--variant=minbase', debianNeeds, 'bookworm', debian])
  const container = buildah('from', 'scratch')
  buildah('add', '--quiet', container, debian, '/')
  buildah('config', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', container)
  buildah('commit', '--quiet', container, DEBIAN)
  buildah('rm', container)
  return DEBIAN
}

/** A base of Debian's packages, with Node 24 and npm from here. Made once. */
export async function makeBase(root: string, folder: string): Promise<string> {
  if (hasImage(NAME)) return NAME
  const added = join(folder, 'node')
  const bin = join(added, 'usr/local/bin')
  const modules = join(added, 'usr/local/lib/node_modules')
  for (const path of [bin, modules]) await mkdir(path, { recursive: true })
  await cp(join(root, 'node_modules/node/bin/node'), join(bin, 'node'))
  const npm = await realpath(execFileSync('which', ['npm'], { encoding: 'utf8' }).trim())
  await cp(dirname(dirname(npm)), join(modules, 'npm'), { recursive: true })
  for (const name of ['npm', 'npx']) await symlink(`../lib/node_modules/npm/bin/${name}-cli.js`, join(bin, name))
  const container = buildah('from', makeDebian(folder))
  buildah('add', '--quiet', container, added, '/')
  buildah('commit', '--quiet', container, NAME)
  buildah('rm', container)
  return NAME
}
