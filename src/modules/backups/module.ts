import { defineModule, defineTables, operators } from '../define-module.ts'
import { makeDueBackup } from './jobs.ts'
import * as backupsOperator from './operator-routes.ts'

export const backups = defineModule({
  name: 'backups',
  routes: [backupsOperator],
  jobs: [makeDueBackup],
  tables: defineTables({
    backups: {
      written: 'backups are recorded by service.ts',
      times: { checked_at: operators, ended_at: operators, started_at: operators },
    },
  }),
})
