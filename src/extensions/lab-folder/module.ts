import { defineModule } from '../../modules/define-module.ts'
import { playFolder } from './play.ts'
import { watchFolder } from './watch.ts'

export const labFolder = defineModule({
  name: 'lab-folder',
  listens: async ({ settings, ...given }) =>
    settings.labFolder && watchFolder({ settings: settings.labFolder, ...given }),
  plays: playFolder,
})
