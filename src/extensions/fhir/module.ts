import { defineModule } from '../../modules/define-module.ts'
import * as routes from './routes.ts'

export const fhir = defineModule({
  name: 'fhir',
  tags: {
    FHIR: 'People tested, kits and published reports as resources of FHIR R4, to be read. Below `/fhir`; refusals are OperationOutcomes.',
  },
  routes: [routes],
})
