import { defineRoute } from '../../platform/http/route.ts'
import { BackupList } from './schema.ts'
import { shownBackups } from './service.ts'

export const listBackups = defineRoute({
  audience: 'operator',
  tag: 'Operator: system',
  scope: 'system',
  method: 'GET',
  path: '/backups',
  summary: 'List the backups',
  description: 'With the schedule, how each came out, and whether it was read back.',
  answers: { 200: BackupList },
  handler: async ({ tx }) => ({ status: 200, body: await shownBackups(tx) }),
})
