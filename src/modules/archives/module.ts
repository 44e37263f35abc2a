import { defineModule, defineTables, operators } from '../define-module.ts'
import { archiveOld } from './jobs.ts'

export const archives = defineModule({
  name: 'archives',
  jobs: [archiveOld],
  tables: defineTables({
    archives: {
      written: 'archives are made by service.ts',
      times: { from_at: operators, made_at: operators, purged_at: operators, to_at: operators, verified_at: operators },
    },
  }),
})
