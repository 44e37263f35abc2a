import { defineModule } from '../../modules/define-module.ts'
import { writeNumbersNightly } from './jobs.ts'

export const nightlyNumbers = defineModule({
  name: 'nightly-numbers',
  jobs: [writeNumbersNightly],
})
