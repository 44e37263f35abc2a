import { defineModule } from '../define-module.ts'
import * as routes from './routes.ts'

export const sandbox = defineModule({
  name: 'sandbox',
  tags: {
    Sandbox: 'Playing through the life of a kit without a laboratory.',
  },
  routes: [routes],
})
