import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartError } from '../domain/errors.ts'
import { errorCode, makePrivateFolder } from './private-folder.ts'

/** The text of a key file in the data folder; undefined if the file does not exist. */
export function readKeyFile(dataDir: string, name: string): string | undefined {
  try {
    return readFileSync(join(dataDir, name), 'utf8').trim()
  } catch (error) {
    const code = errorCode(error)
    if (code === 'ENOENT') return undefined
    if (code !== 'ENOTDIR') throw error
    throw new StartError(
      `The data folder ${resolve(dataDir)} is a file, or below one (${code}). Choose another folder with --data.`,
      { cause: error },
    )
  }
}

/**
 * Writes a new key to a file of the data folder, and returns what the file then holds. Two processes that start together
 * get the same key: it is written to a temporary file, flushed, and linked into place, which only one of them can do.
 */
export function keepKeyFile(dataDir: string, name: string, key: string): string {
  const path = join(dataDir, name)
  makePrivateFolder(dataDir)
  const draft = `${path}.${process.pid}`
  const file = openDraft(dataDir, draft)
  try {
    writeSync(file, `${key}\n`)
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
  try {
    linkSync(draft, path)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  } finally {
    unlinkSync(draft)
  }
  const directory = openSync(dataDir, 'r')
  fsyncSync(directory)
  closeSync(directory)
  const written = readKeyFile(dataDir, name)
  if (written === undefined) throw new StartError(`${path} vanished while it was made. Start again.`)
  return written
}

function openDraft(dataDir: string, draft: string): number {
  try {
    return openSync(draft, 'w', 0o600)
  } catch (cause) {
    throw new StartError(
      `Nothing can be written to the data folder ${resolve(dataDir)} (${errorCode(cause)}). Choose another folder with --data.`,
      { cause },
    )
  }
}
