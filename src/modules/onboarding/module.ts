import { defineModule } from '../define-module.ts'
import * as onboardingOperator from './operator-routes.ts'

export const onboarding = defineModule({
  name: 'onboarding',
  tags: {
    'Operator: businesses': 'Opening businesses, their panels and their credits.',
  },
  routes: [onboardingOperator],
})
