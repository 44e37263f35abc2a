import { spawnSync } from 'node:child_process'
import { mkdir, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A file system in memory of a given size. */
export interface SmallDisk {
  folder: string
  /** Fills it up to `leftBytes`, with a file. */
  fill(leftBytes?: number): Promise<void>
  /** Gives it more space, as an operator does. */
  grow(megabytes: number): void
  unmount(): void
}

const MB = 1024 ** 2

/** @throws Error where this user may not mount */
export async function smallDisk(folder: string, megabytes: number): Promise<SmallDisk> {
  await mkdir(folder, { recursive: true })
  mount('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m,mode=700`, 'kitlane-proof', folder)
  return {
    folder,
    async fill(leftBytes = 0) {
      const { bavail, bsize } = await statfs(folder)
      const bytes = bavail * bsize - leftBytes
      if (bytes > 0) await writeFile(join(folder, `ballast-${performance.now()}`), Buffer.alloc(bytes))
    },
    grow: (to) => mount('mount', '-o', `remount,size=${to}m`, folder),
    unmount: () => mount('umount', '-l', folder),
  }
}

export const mebibytes = (count: number): number => count * MB

function mount(program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed, it needs root: ${error?.message ?? stderr}`)
}
