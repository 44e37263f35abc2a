import { z } from 'zod'
import { anyOfOr, Pagination, paging, timestamp } from '../../../platform/http/fields.ts'
import type { AlarmRow } from './queries.ts'
import { alarmKinds } from './rules.ts'

export const Alarm = z
  .object({
    id: z.string(),
    kind: z.enum(alarmKinds),
    subject: z
      .string()
      .describe(
        'The caller (`token:…`, `user:…`, `operator:…`), `network:…`, or what is broken. The audit has the rest.',
      ),
    amount: z.int().describe('Refused attempts, or people whose data was read.'),
    raisedDate: timestamp,
    lastDate: timestamp.describe('When it was last seen to go on.'),
    acknowledgedDate: timestamp.optional(),
    acknowledgedBy: z.string().optional(),
  })
  .meta({ id: 'Alarm' })

export const AlarmsQuery = z.object({ ...paging(50, 250), state: anyOfOr(['open', 'all'], 'open') })
export const AlarmPage = z.object({ data: z.array(Alarm), pagination: Pagination })

export function shownAlarm({
  raisedAt,
  lastAt,
  acknowledgedAt,
  acknowledgedBy,
  ...row
}: AlarmRow): z.infer<typeof Alarm> {
  const { id, kind, subject, amount } = row
  return {
    id,
    kind,
    subject,
    amount,
    raisedDate: raisedAt.toISOString(),
    lastDate: lastAt.toISOString(),
    ...(acknowledgedAt && { acknowledgedDate: acknowledgedAt.toISOString() }),
    ...(acknowledgedBy !== null && { acknowledgedBy }),
  }
}
