/** A file as a store has it. */
export interface FileEntry {
  name: string
  bytes: number
  writtenAt: Date
}

/**
 * Where files are kept: a folder or a bucket. It knows names and bytes, no realms, rows or keys; what it is given is sealed.
 * Names are like paths, `2026-11-22/<random>`. Every call throws `FileStoreError` if the store does not answer.
 */
export interface FileStore {
  /** For people: the folder, or the bucket with its prefix. */
  readonly where: string
  /** All files whose names begin so, in the order of their names. */
  list(prefix: string): AsyncIterable<FileEntry>
  /** @throws FileStoreError `missing` if there is no such file */
  read(name: string): Promise<Buffer>
  /** Durable once it has returned. Replaces a file of this name. */
  write(name: string, bytes: Buffer): Promise<void>
  /** Writes a file that is not there yet. False if there is one, which stays; of two concurrent calls, one gets true. */
  create(name: string, bytes: Buffer): Promise<boolean>
  /** One that is not there is no error. */
  delete(name: string): Promise<void>
}

/** The store failed. `missing`: it answered, and has no such file. `full`: it has no room. */
export class FileStoreError extends Error {
  readonly missing: boolean
  readonly full: boolean

  constructor(message: string, options: { missing?: boolean; full?: boolean; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'FileStoreError'
    this.missing = options.missing ?? false
    this.full = options.full ?? false
  }
}
