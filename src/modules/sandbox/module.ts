import { defineModule } from '../define-module.ts'
import * as routes from './routes.ts'

export const sandbox = defineModule({
  name: 'sandbox',
  routes: [routes],
})
