/** When backups are made by themselves. */
export interface BackupSchedule {
  /** A folder, or s3://bucket/prefix/. */
  to: string
  everyHours: number
  /** The hour of the day, UTC, that the first one of a day begins at. */
  hour: number
  /** How many are kept there. */
  keep: number
}

/** Undefined: no backup is made by itself. */
export const scheduleOf = ({ to, everyHours, hour, keep }: Omit<BackupSchedule, 'to'> & { to: string | undefined }) =>
  to === undefined ? undefined : ({ to, everyHours, hour, keep } satisfies BackupSchedule)

export interface MadeBackup {
  location: string
  /** Of the encrypted file. */
  bytes: number
  tables: number
  rows: number
  files: number
}

export interface StoredBackupInfo {
  location: string
  bytes: number
  at: Date
}

/** Copying the installation, with the settings of this process. */
export interface Backups {
  schedule: BackupSchedule | undefined
  /** @throws StartError that says what to do; BackupRunning while another one is made */
  make(options: {
    to: string
    at: Date
    signal?: AbortSignal
    progress?: (now: BackupProgress) => void
  }): Promise<MadeBackup>
  /** Reads one to its end. False: this process has the public key alone. @throws StartError if it is damaged */
  check(location: string): Promise<boolean>
  /** The newest first. */
  list(where: string): Promise<StoredBackupInfo[]>
  remove(location: string): Promise<void>
}

export interface BackupProgress {
  /** The table that is being copied. */
  table: string
  done: number
  tables: number
  /** Of all that is to be copied, 0 to 100; estimated. Undefined where nobody knows how much there is. */
  percent?: number
  /** Uncompressed, so far. */
  bytes: number
}
