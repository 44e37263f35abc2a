import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { here } from './upgrade/before.ts'

/** A mistake that somebody could make: one place of the source, and what stands there instead. */
export interface Mistake {
  file: string
  from: string
  to: string
}

export interface CopiedCheckout {
  folder: string
  /** Puts a mistake in. Returns what takes it out again. @throws Error if the source has not exactly one such place */
  put(mistake: Mistake): () => void
  remove(): Promise<void>
}

/** A copy of this checkout, as it is committed. It shares the packages of this one. */
export async function copyCheckout(): Promise<CopiedCheckout> {
  const parent = await mkdtemp(join(tmpdir(), 'kitlane-broken-'))
  const folder = join(parent, 'checkout')
  execFileSync('git', ['worktree', 'add', '--quiet', '--detach', folder, 'HEAD'], { cwd: here })
  symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'))
  return {
    folder,
    put({ file, from, to }) {
      const path = join(folder, file)
      const source = readFileSync(path, 'utf8')
      if (source.split(from).length !== 2) throw new Error(`${file} has no single place for: ${from}`)
      writeFileSync(
        path,
        source.replace(from, () => to),
      )
      return () => writeFileSync(path, source)
    },
    async remove() {
      execFileSync('git', ['worktree', 'remove', '--force', folder], { cwd: here })
      await rm(parent, { recursive: true, force: true })
    },
  }
}

/** A copy of this checkout, as it is committed, with a mistake in it. */
export async function checkoutWith(mistake: Mistake): Promise<CopiedCheckout> {
  const copy = await copyCheckout()
  try {
    copy.put(mistake)
    return copy
  } catch (err) {
    await copy.remove()
    throw err
  }
}
