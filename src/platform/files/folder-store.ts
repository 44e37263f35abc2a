import { randomUUID } from 'node:crypto'
import { type FileHandle, link, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type FileEntry, type FileStore, FileStoreError } from '../../domain/file-store.ts'
import { makeFolder } from '../key-file.ts'

// A file that is being written; a crash may leave one.
const UNFINISHED = '.part'

const FULL: ReadonlySet<string | undefined> = new Set(['ENOSPC', 'EDQUOT'])

const codeOf = (err: unknown) => (err as NodeJS.ErrnoException).code

async function synced<T>(handle: FileHandle, work: (handle: FileHandle) => Promise<T>): Promise<T> {
  try {
    const result = await work(handle)
    await handle.sync()
    return result
  } finally {
    await handle.close()
  }
}

/** Makes the names in a folder durable. Windows cannot open folders, and makes them durable itself. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform !== 'win32') await synced(await open(path, 'r'), async () => {})
}

/** Files in a folder, which several machines may share by a network file system. */
export function folderStore(folder: string): FileStore {
  const failed = (name: string, err: unknown) =>
    new FileStoreError(`the folder ${folder} has a problem with ${name} (${codeOf(err)})`, {
      missing: codeOf(err) === 'ENOENT',
      full: FULL.has(codeOf(err)),
      cause: err,
    })
  async function guarded<T>(name: string, work: (path: string) => Promise<T>): Promise<T> {
    try {
      return await work(join(folder, name))
    } catch (err) {
      throw failed(name, err)
    }
  }
  async function makeDurable(path: string): Promise<void> {
    const made = makeFolder(path, 0o700)
    if (made) await syncFolder(dirname(made))
  }
  /** Written under another name first: anyone who reads sees the whole file or none. */
  async function written(path: string, bytes: Buffer, publish: (unfinished: string) => Promise<void>): Promise<void> {
    await makeDurable(dirname(path))
    const unfinished = `${path}.${randomUUID()}${UNFINISHED}`
    try {
      await synced(await open(unfinished, 'wx', 0o600), (handle) => handle.writeFile(bytes))
      await publish(unfinished)
      await syncFolder(dirname(path))
    } finally {
      await rm(unfinished, { force: true })
    }
  }

  return {
    where: folder,
    async *list(prefix) {
      const names = await guarded('', async () => {
        try {
          const entries = await readdir(join(folder, dirname(`${prefix}.`)), { recursive: true, withFileTypes: true })
          return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
        } catch (err) {
          if (codeOf(err) === 'ENOENT') return []
          throw err
        }
      })
      const own = names.map((path) => path.slice(folder.length + 1).replaceAll('\\', '/'))
      for (const name of own.filter((one) => one.startsWith(prefix)).sort()) {
        const entry = await entryOf(join(folder, name), name)
        if (entry) yield entry
      }
    },
    read: (name) => guarded(name, (path) => readFile(path)),
    write: (name, bytes) => guarded(name, (path) => written(path, bytes, (unfinished) => rename(unfinished, path))),
    create: (name, bytes) =>
      guarded(name, async (path) => {
        try {
          // Unlike `rename`, it refuses a name that is taken.
          await written(path, bytes, (unfinished) => link(unfinished, path))
          return true
        } catch (err) {
          if (codeOf(err) === 'EEXIST') return false
          throw err
        }
      }),
    delete: (name) => guarded(name, (path) => rm(path, { force: true })),
  }
}

async function entryOf(path: string, name: string): Promise<FileEntry | undefined> {
  try {
    const { size, mtime } = await stat(path)
    return { name, bytes: size, writtenAt: mtime }
  } catch (err) {
    // Deleted meanwhile.
    if (codeOf(err) === 'ENOENT') return undefined
    throw err
  }
}
