import { execFileSync, type SpawnSyncReturns, spawnSync } from 'node:child_process'

const env = { ...process.env, STORAGE_DRIVER: process.env.STORAGE_DRIVER ?? 'vfs' }
// crun takes no mixture of both versions of control groups: it gets the first one only, in a mount namespace of its own.
const ALONE = 'if mountpoint -q /sys/fs/cgroup/unified; then umount /sys/fs/cgroup/unified; fi; exec podman "$@"'

export const buildah = (...args: string[]): string =>
  execFileSync('buildah', args, {
    env,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  }).trim()

export const hasImage = (name: string): boolean =>
  spawnSync('buildah', ['inspect', '--type', 'image', name], { env, stdio: 'ignore' }).status === 0

export const podman = (...args: string[]): SpawnSyncReturns<string> =>
  spawnSync('unshare', ['--mount', 'sh', '-c', ALONE, 'podman', ...args], { env, encoding: 'utf8' })

/** @throws what podman says */
export function mustPodman(...args: string[]): string {
  const { status, stdout, stderr } = podman(...args)
  if (status !== 0) throw new Error(`podman ${args.join(' ')} ended with ${status}:\n${stdout}${stderr}`)
  return stdout.trim()
}
