import { defineModule } from '../../modules/define-module.ts'
import { playMllp, serveMllp } from './serve.ts'

export const mllp = defineModule({
  name: 'mllp',
  listens: async ({ settings, ...given }) => settings.mllp && serveMllp({ settings: settings.mllp, ...given }),
  plays: playMllp,
})
