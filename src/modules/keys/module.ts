import { defineModule, defineTables, operators } from '../define-module.ts'
import { sealRowsOfBefore } from './jobs.ts'

export const keys = defineModule({
  name: 'keys',
  jobs: [sealRowsOfBefore],
  tables: defineTables({
    key_rotations: {
      written: 'rotations are noted by queries.ts',
      times: { finished_at: operators, started_at: operators, used_from: operators },
    },
    sealing_progress: {
      written: 'progress is noted by queries.ts',
      times: { finished_at: operators, started_at: operators },
    },
  }),
})
