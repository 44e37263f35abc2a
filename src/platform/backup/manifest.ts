import { z } from 'zod'

const Policy = z.object({
  name: z.string(),
  command: z.string(),
  roles: z.array(z.string()),
  using: z.string().nullable(),
  check: z.string().nullable(),
})

/** How a table is protected: row-level security on, forced, and by which policies. */
export const Protection = z.object({
  table: z.string(),
  enabled: z.boolean(),
  forced: z.boolean(),
  policies: z.array(Policy),
})
export type Protection = z.infer<typeof Protection>

/** The first entry of a backup: what a restore must know before it reads rows. */
export const Head = z.object({
  format: z.literal(1),
  release: z.string(),
  postgres: z.string(),
  /** The time of the snapshot: every transaction that had been answered by then is in the backup. */
  takenAt: z.string(),
  schemaVersion: z.int(),
  migrations: z.array(z.object({ version: z.int(), name: z.string(), checksum: z.string() })),
  /** Which key sealed the secrets; undefined: none did yet. */
  encryptionKey: z.string().optional(),
  roles: z.array(z.string()),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
  partitions: z.array(z.object({ name: z.string(), parent: z.string(), bound: z.string() })),
  protections: z.array(Protection),
})
export type Head = z.infer<typeof Head>

const counted = { rows: z.int(), bytes: z.int(), sha256: z.string(), rowsSum: z.string() }

/** The last entry: what the others must come to. A backup without it is cut short. */
export const Manifest = z.object({
  tables: z.array(z.object({ name: z.string(), ...counted })),
  jobs: z.object(counted),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), called: z.boolean() })),
  files: z.array(z.object({ path: z.string(), bytes: z.int(), sha256: z.string() })),
})
export type Manifest = z.infer<typeof Manifest>

/** What a backup is about, as a whole. */
export interface Summary {
  tables: number
  rows: number
  files: number
}

export const summaryOf = ({ tables, files }: Manifest): Summary => ({
  tables: tables.length,
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  files: files.length,
})
