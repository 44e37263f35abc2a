import { z } from 'zod'
import { timestamp } from '../../platform/http/fields.ts'

const Backup = z
  .object({
    id: z.string(),
    startedDate: timestamp.describe('Everything that was answered until then is in it.'),
    endedDate: timestamp,
    location: z.string(),
    madeBy: z.string(),
    ok: z.boolean(),
    failure: z.string().optional().describe('The kind of error. Absent: it was made.'),
    bytes: z.int().optional(),
    rows: z.int().optional(),
    files: z.int().optional(),
    checkedDate: timestamp
      .optional()
      .describe('When it was read back to its end and found whole. Absent: it was not, as with a public key alone.'),
  })
  .meta({ id: 'Backup' })

export const BackupList = z
  .object({
    schedule: z
      .object({
        to: z.string(),
        everyHours: z.int(),
        hour: z.int().describe('Of the day, UTC.'),
        keep: z.int().describe('How many are kept.'),
        nextDate: timestamp,
      })
      .optional()
      .describe('As the process that answered has it. Absent: no backup is made by itself.'),
    backups: z.array(Backup).describe('Those that were made or failed, the newest first, up to 50.'),
  })
  .meta({ id: 'BackupList' })
export type BackupList = z.infer<typeof BackupList>
