import { defineModule } from '../../modules/define-module.ts'
import * as routes from './routes.ts'

export const fhir = defineModule({
  name: 'fhir',
  routes: [routes],
})
