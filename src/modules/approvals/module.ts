import { defineModule, defineTables, operators } from '../define-module.ts'
import { notifyProviders, payApprovedOrder } from './jobs.ts'
import * as routes from './routes.ts'

export const approvals = defineModule({
  name: 'approvals',
  tags: { 'Operator: approvals': 'Providers, and orders that they approve.' },
  routes: [routes],
  jobs: [payApprovedOrder, notifyProviders],
  tables: defineTables({
    providers: {
      written: 'providers are added, changed and removed by providers.ts',
      people: {
        in: 'staff',
        what: 'providers who approve orders: name, NPI, e-mail, licences',
        sealed: 'no',
        kept: 'until they are removed; name and NPI with each order that they approved',
        readBy: '*op* `staff`, `approvals`',
      },
      times: { created_at: operators, changed_at: operators },
    },
  }),
})
