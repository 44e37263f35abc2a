import { defineModule } from '../define-module.ts'
import { deleteDroppedFiles, moveFilesHourly, sweepFilesDaily } from './jobs.ts'

export const files = defineModule({
  name: 'files',
  jobs: [deleteDroppedFiles, moveFilesHourly, sweepFilesDaily],
})
