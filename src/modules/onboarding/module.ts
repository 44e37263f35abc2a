import { defineModule } from '../define-module.ts'
import * as onboardingOperator from './operator-routes.ts'

export const onboarding = defineModule({
  name: 'onboarding',
  routes: [onboardingOperator],
})
