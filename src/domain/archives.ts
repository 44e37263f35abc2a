/** Where to and when what has reached its term is taken out of the database. */
export interface ArchivePlan {
  /** A folder, or s3://bucket/prefix/. */
  to: string
  /** Months of the audit whose last entry is older. Undefined: the audit stays. */
  auditDays: number | undefined
}

export interface WrittenArchive {
  location: string
  /** Of the encrypted file. */
  bytes: number
  sha256: Buffer
}

/** Adds rows to an archive, as JSON, one on a line. */
export type AddRows = (table: string, rows: readonly string[]) => Promise<void>

/** What an archive says of itself. */
export interface ArchiveContents {
  kind: string
  made: string
  tables: { name: string; rows: number; sha256: string }[]
}

/** Archives of this installation, with the settings of this process. */
export interface Archives {
  plan: ArchivePlan | undefined
  write(
    options: { to: string; kind: string; at: Date; signal?: AbortSignal },
    fill: (add: AddRows) => Promise<void>,
  ): Promise<WrittenArchive>
  /** Whether the file is, byte for byte, what was written. */
  isSame(location: string, sha256: Buffer): Promise<boolean>
  /** Opens it, and compares every table with what the archive says of it. Undefined: this process has the public key only. */
  open(location: string): Promise<ArchiveContents | undefined>
}
