import { StartError } from '../../domain/errors.ts'
import { type FileStore, FileStoreError } from '../../domain/file-store.ts'
import { randomBase62 } from '../../domain/ids.ts'
import type { Database } from '../database/tx.ts'
import { recordStore, selectStore } from './queries.ts'

/** The file that says which store this is. */
const MARK = 'kitlane-files'

/**
 * A store that proves at its first use to be the one of this database, so that no node writes where the others do not read:
 * the mark in it and the database name the same ID. The first process of an installation makes both.
 */
export function checkedStore(store: FileStore, database: () => Database): FileStore & { check(): Promise<void> } {
  let checked: Promise<void> | undefined
  const check = () => {
    checked ??= checkMark(store, database())
    // The next call tries again.
    checked.catch(() => {
      checked = undefined
    })
    return checked
  }
  const after =
    <A extends unknown[], T>(work: (...args: A) => Promise<T>) =>
    async (...args: A) => {
      await check()
      return work(...args)
    }
  return {
    where: store.where,
    check,
    async *list(prefix) {
      await check()
      for await (const entry of store.list(prefix)) if (entry.name !== MARK) yield entry
    },
    read: after(store.read),
    write: after(store.write),
    create: after(store.create),
    delete: after(store.delete),
  }
}

async function checkMark(store: FileStore, database: Database): Promise<void> {
  const recorded = () => database.asSystem({ name: 'system' }, selectStore)
  const mark = await readMark(store)
  const known = await recorded()
  if (known) {
    const found = mark ?? (await readMark(store))
    if (found === known.id) return
    throw notOurs(
      store,
      found ? 'has the files of another database' : 'has no files of this database: they are elsewhere',
    )
  }
  const made = mark ?? (await makeMark(store))
  if (made === undefined || (await isUsed(store))) {
    // Another node may have been first, and have written files since.
    if (made !== undefined && (await recorded())?.id === made) return
    throw notOurs(store, 'has files of another database')
  }
  const id = await database.asSystem({ name: 'system' }, (tx) => recordStore(tx, made))
  if (id !== made) throw notOurs(store, 'is not the store that another node began to use')
}

async function isUsed(store: FileStore): Promise<boolean> {
  // Another node may be about to write the mark: it does so under a name that begins alike.
  for await (const { name } of store.list('')) if (!name.startsWith(MARK)) return true
  return false
}

async function readMark(store: FileStore): Promise<string | undefined> {
  try {
    return (await store.read(MARK)).toString()
  } catch (err) {
    if (err instanceof FileStoreError && err.missing) return undefined
    throw err
  }
}

async function makeMark(store: FileStore): Promise<string | undefined> {
  if (await isUsed(store)) return undefined
  const id = randomBase62(24)
  return (await store.create(MARK, Buffer.from(id))) ? id : readMark(store)
}

const notOurs = (store: FileStore, what: string) =>
  new StartError(
    `${store.where} ${what}. All nodes need the same files: set FILES_URL to one bucket, or to a folder that all of them share.`,
  )
